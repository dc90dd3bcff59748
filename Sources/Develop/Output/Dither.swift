/// An ordered dither for 8-bit output: a threshold from 0 to 255 for each place of the picture.
///
/// The thresholds are a two-dimensional low-discrepancy sequence folded into a triangle wave: near any
/// pixel they cover the range evenly, so that the eye (and an encoder) sees little of them, and they
/// need two integer multiplications. M. Roberts, "The Unreasonable Effectiveness of Quasirandom
/// Sequences" (2018), section "Dithering in computer graphics". All channels of a pixel get the same
/// threshold: what is neutral stays neutral. Version 1.
enum Dither {
  /// 2^32 over the plastic number 1.3247179572..., and over its square.
  static let stepX: UInt32 = 3_242_174_889
  static let stepY: UInt32 = 2_447_445_414

  /// The sequence at a place of the picture; a step right adds `stepX`, a step down `stepY`.
  @inline(__always)
  static func phase(x: Int, y: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: x) &* stepX &+ UInt32(truncatingIfNeeded: y) &* stepY
  }

  /// The threshold, 0 to 255: up and down again as the phase goes round once.
  @inline(__always)
  static func threshold(_ phase: BitLanes) -> BitLanes {
    let signs = BitLanes(repeating: 0) &- (phase &>> BitLanes(repeating: 31))
    return ((phase ^ signs) &>> BitLanes(repeating: 23)) & BitLanes(repeating: 0xFF)
  }
}
