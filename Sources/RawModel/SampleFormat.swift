/// What the bits of a stored sample mean (SampleFormat, 339).
package enum SampleFormat: Int, Sendable {
  case unsignedInteger = 1
  /// IEEE 754 of 16 or 32 bits, or the 24 bits of DNG 1.4 (1 sign, 7 exponent, 16 fraction).
  case floatingPoint = 3
}
