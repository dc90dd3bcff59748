internal import ColorScience

/// The sRGB curve as tables over linear light.
///
/// A table index is made of the upper bits of the floating-point number `x + 1/256`: ten bits of its
/// significand and its exponent, which gives eight octaves of 1024 steps: fine where the curve is steep,
/// coarse where it is flat. For 8 bit the nearest entry serves, in 256ths of a code, as the step to the
/// next is under 0.12 codes and a dither of one code follows. For 16 bit the lower 13 bits interpolate.
struct EncodingTables: Sendable {
  /// Added to linear light before its bits are taken.
  static let offset: Float = 0x1p-8
  /// The bits of `offset`, which are those of black.
  static let blackBits = offset.bitPattern
  /// Bits below those of the index.
  static let fractionBits: UInt32 = 13
  /// Indices of black to white, and one more.
  static let count = Int(((1 + offset).bitPattern - blackBits) >> fractionBits) + 2

  /// 8-bit codes in 256ths.
  let eight: [UInt16]
  /// 16-bit codes.
  let sixteen: [Float]

  static let sRGB = EncodingTables(.sRGB)

  init(_ function: TransferFunction) {
    func linear(_ index: Int, _ fraction: UInt32) -> Double {
      let bits = Self.blackBits + UInt32(index) << Self.fractionBits + fraction
      return min(max(Double(Float(bitPattern: bits)) - Double(Self.offset), 0), 1)
    }
    let middle: UInt32 = 1 << (Self.fractionBits - 1)
    eight = (0..<Self.count).map { index in
      // Black is a colour of its own: it stays free of dither.
      let encoded = index == 0 ? 0 : function.encode(linear(index, middle))
      return UInt16((encoded * 255 * 256).rounded())
    }
    sixteen = (0..<Self.count).map { Float(function.encode(linear($0, 0)) * 65535) }
  }
}

extension EncodingTables {
  /// Where linear light lies in the tables: the index above `fractionBits` bits of fraction.
  ///
  /// Light outside 0 to 1 is clipped.
  @inline(__always)
  static func position(_ light: Lanes) -> BitLanes {
    (light.unitClamped + offset).bits &- BitLanes(repeating: blackBits)
  }
}
