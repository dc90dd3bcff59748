extension PortableMath {
  /// log2 x; -infinity at 0, NaN below.
  package static func log2(_ x: Double) -> Double {
    guard let (exponent, logarithm) = parts(x) else { return special(x) }
    return Double(exponent) + logarithm * 1.44269504088896340735992468100
  }

  /// The natural logarithm; -infinity at 0, NaN below.
  package static func log(_ x: Double) -> Double {
    guard let (exponent, logarithm) = parts(x) else { return special(x) }
    return Double(exponent) * ln2 + logarithm
  }

  /// x^y for x >= 0; NaN for negative x.
  ///
  /// The relative error is about `|y log2 x|` units in the last place: what colour needs, not more.
  package static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    if x == 0 { return y > 0 ? 0 : .infinity }
    return exp2(y * log2(x))
  }

  /// The cube root, by Newton's method from a linear first guess of the significand's root.
  package static func cbrt(_ x: Double) -> Double {
    guard x != 0, x.isFinite else { return x }
    if x < 0 { return -cbrt(-x) }
    // x = m * 8^k with m in 1..<8.
    let thirds = Int((Double(x.exponent) / 3).rounded(.down))
    let significand = x.significand
    let m = significand * Double(1 << (Int(x.exponent) - 3 * thirds))
    var root = 0.83 + 0.155 * m
    for _ in 0..<5 { root = (2 * root + m / (root * root)) / 3 }
    return Double(sign: .plus, exponent: thirds, significand: root)
  }

  /// x = m 2^e with m between sqrt(1/2) and sqrt(2): e and ln m; nil unless x is positive and finite.
  ///
  /// ln m = 2 artanh s, s = (m - 1) / (m + 1), |s| <= 0.172: the term s^25 is under 1e-19.
  private static func parts(_ x: Double) -> (exponent: Int, logarithm: Double)? {
    guard x > 0, x.isFinite else { return nil }
    var exponent = Int(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
      m /= 2
      exponent += 1
    }
    let s = (m - 1) / (m + 1)
    return (exponent, 2 * s * polynomial(s * s, artanhSeries))
  }

  /// 1, 1/3, 1/5 ...
  private static let artanhSeries: [Double] = (0..<13).map { 1 / Double(2 * $0 + 1) }

  private static func special(_ x: Double) -> Double {
    if x == 0 { return -.infinity }
    return x > 0 ? x : .nan
  }
}
