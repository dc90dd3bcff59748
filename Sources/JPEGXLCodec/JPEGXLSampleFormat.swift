/// What the samples of a JPEG XL picture are.
package enum JPEGXLSampleFormat: Hashable, Sendable {
  /// Unsigned integers of 1 to 16 bits.
  case integer(bits: Int)
  /// IEEE 754 half floats.
  case half
}
