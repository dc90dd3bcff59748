extension SIMD8<Float> {
  /// The logarithm to base 2 within 2e-6, for normal numbers above 0.
  ///
  /// The exponent, and of the significand `m` half and `2 / ln 2` times the series `t + t^3 / 3 + t^5 / 5` of
  /// the inverse hyperbolic tangent with `t = (m - sqrt 2) / (m + sqrt 2)`.
  @inline(__always)
  var binaryLogarithm: Self {
    let exponentBits = (bits &>> BitLanes(repeating: 23)) & BitLanes(repeating: 0xFF)
    let exponent = Self(exactly: exponentBits) - Self(repeating: 126.5)
    let significandBits = (bits & BitLanes(repeating: 0x7F_FFFF)) | BitLanes(repeating: 0x3F80_0000)
    let m = Self(bits: significandBits)
    let root: Float = 1.414_213_6
    let t = (m - root) / (m + root)
    let square = t * t
    let inner = square * 0.2 + 0.333_333_34
    let series = inner * square + 1
    return exponent + t * series * 2.885_390_1
  }

  /// 2 to this power within 3 parts in ten million, for powers from -100 to 100.
  ///
  /// The nearest whole number makes the exponent, the exponential series up to the sixth power the rest.
  @inline(__always)
  var binaryPower: Self {
    let magic: Float = 12_582_912
    let shifted = self + magic
    let whole = shifted - magic
    let x = (self - whole) * 0.693_147_2
    var series = x * (1.0 / 720) + (1.0 / 120)
    series = series * x + (1.0 / 24)
    series = series * x + (1.0 / 6)
    series = series * x + 0.5
    series = series * x + 1
    series = series * x + 1
    // The low bits of the shifted number are the whole number; 127 of them make the exponent of 1.
    let scale = Self(bits: (shifted.bits &+ BitLanes(repeating: 127)) &<< BitLanes(repeating: 23))
    return series * scale
  }
}
