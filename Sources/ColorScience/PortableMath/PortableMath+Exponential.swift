extension PortableMath {
  /// 2^x; 0 below the subnormals, infinity above the largest double.
  ///
  /// x = n + f with n the nearest integer; 2^f is the Taylor series of e^(f ln 2), |f ln 2| <= 0.347,
  /// whose fifteenth term is under 1e-18.
  package static func exp2(_ x: Double) -> Double {
    guard !x.isNaN else { return x }
    if x >= 1024 { return .infinity }
    if x < -1075 { return 0 }
    let whole = x.rounded(.toNearestOrEven)
    let series = polynomial((x - whole) * ln2, exponentialSeries)
    return scaled(series, by: Int(whole))
  }

  /// e^x.
  ///
  /// x = n ln 2 + r with ln 2 in two parts, the first short enough that n times it is exact.
  package static func exp(_ x: Double) -> Double {
    guard !x.isNaN else { return x }
    if x > 710 { return .infinity }
    if x < -746 { return 0 }
    let whole = (x / ln2).rounded(.toNearestOrEven)
    let remainder = (x - whole * 0x1.62e42fe8p-1) - whole * 0x1.e8e7bcd5e4f1ep-31
    return scaled(polynomial(remainder, exponentialSeries), by: Int(whole))
  }

  private static let exponentialSeries = Array(inverseFactorials.prefix(16))

  /// `x * 2^exponent` with one rounding at most; x lies in 0.5 to 2.
  static func scaled(_ x: Double, by exponent: Int) -> Double {
    func power(_ exponent: Int) -> Double {
      Double(sign: .plus, exponent: exponent, significand: 1)
    }
    if exponent > 1000 { return x * power(1000) * power(exponent - 1000) }
    if exponent < -1000 { return x * power(exponent + 100) * power(-100) }
    return x * power(exponent)
  }
}
