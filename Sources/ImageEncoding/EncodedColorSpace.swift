/// A colour space that output files are tagged with.
package enum EncodedColorSpace: String, CaseIterable, Sendable {
  /// SMPTE EG 432-1 primaries, D65, the sRGB transfer curve.
  case displayP3
}
