/// Linear values in 16 bits, for pictures between two passes.
///
/// A code is made of the upper bits of the floating-point number `x + 1/64`: twelve bits of its
/// significand and four of its exponent. Steps are 2^-18 at black and under 1/4096 of the value in the
/// lights: a sixteenth of a code of a 14-bit raw in the shadows, and an eighth of a step of an 8-bit
/// picture in the lights. Values from -0.0146 to 63.9 are kept, so that noise keeps its mean about black
/// and what is brighter than white stays. Version 1.
enum IntermediateCode {
  /// Added before the bits are taken.
  static let offset: Float = 0x1p-6
  /// The smallest sum that has a code.
  static let floor: Float = 0x1p-10
  /// The largest.
  static let ceiling: Float = 0x1.fffp5
  /// Bits of a float below those of the code.
  static let shift: UInt32 = 11

  /// Codes of eight values, rounded; 0 for what is not a number.
  @inline(__always)
  static func encode(_ value: Lanes) -> BitLanes {
    let sum = value + offset
    let floor = Lanes(repeating: Self.floor)
    let bounded = floor.replacing(with: sum, where: sum .> floor)
      .minimum(Lanes(repeating: ceiling))
    let half = BitLanes(repeating: 1 << (shift - 1))
    return (bounded.bits &- BitLanes(repeating: Self.floor.bitPattern) &+ half)
      &>> BitLanes(repeating: shift)
  }

  /// Values of eight codes.
  @inline(__always)
  static func decode(_ codes: BitLanes) -> Lanes {
    let bits = codes &<< BitLanes(repeating: shift)
    return Lanes(bits: bits &+ BitLanes(repeating: floor.bitPattern)) - offset
  }

  /// Values of four codes.
  @inline(__always)
  static func decode(_ codes: SIMD4<UInt32>) -> SIMD4<Float> {
    let bits = codes &<< SIMD4(repeating: shift)
    let value = bits &+ SIMD4(repeating: floor.bitPattern)
    // Both are 16 bytes without padding.
    return unsafe unsafeBitCast(value, to: SIMD4<Float>.self) - offset
  }
}
