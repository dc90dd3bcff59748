/// Bits a sample of a developed picture.
package enum PictureDepth: Hashable, Sendable {
  /// 8 bit, dithered.
  case eight
  /// 16 bit, rounded.
  case sixteen
}
