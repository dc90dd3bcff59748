extension PortableMath {
  /// The sine of an angle in radians, |x| up to 1e5.
  package static func sin(_ x: Double) -> Double {
    let (quadrant, angle) = reduced(x)
    switch quadrant & 3 {
    case 0: return sinSeries(angle)
    case 1: return cosSeries(angle)
    case 2: return -sinSeries(angle)
    default: return -cosSeries(angle)
    }
  }

  /// The cosine of an angle in radians, |x| up to 1e5.
  package static func cos(_ x: Double) -> Double {
    let (quadrant, angle) = reduced(x)
    switch quadrant & 3 {
    case 0: return cosSeries(angle)
    case 1: return -sinSeries(angle)
    case 2: return -cosSeries(angle)
    default: return sinSeries(angle)
    }
  }

  /// The angle of the point (x, y) in radians, -pi to pi; 0 at the origin.
  package static func atan2(_ y: Double, _ x: Double) -> Double {
    if x == 0 && y == 0 { return 0 }
    let ax = abs(x)
    let ay = abs(y)
    let ratio = ax >= ay ? ay / ax : ax / ay
    var angle = atanOfUnit(ratio)
    if ay > ax { angle = Double.pi / 2 - angle }
    if x < 0 { angle = Double.pi - angle }
    return y < 0 ? -angle : angle
  }

  /// atan x for 0 <= x <= 1: halved twice by atan x = 2 atan(x / (1 + sqrt(1 + x^2))), then a series
  /// in x^2 <= 0.04 whose thirteenth term is under 1e-19.
  private static func atanOfUnit(_ x: Double) -> Double {
    var x = x
    for _ in 0..<2 { x = x / (1 + (1 + x * x).squareRoot()) }
    return 4 * x * polynomial(x * x, atanSeries)
  }

  /// 1, -1/3, 1/5 ...
  private static let atanSeries: [Double] = (0..<13).map {
    ($0.isMultiple(of: 2) ? 1.0 : -1.0) / Double(2 * $0 + 1)
  }

  /// x = quadrant * pi/2 + angle with |angle| <= pi/4; pi/2 in three parts (Cody & Waite) of 33, 33
  /// and 53 bits, so that the products with the quadrant are exact.
  private static func reduced(_ x: Double) -> (quadrant: Int, angle: Double) {
    guard x.isFinite, abs(x) <= 1e5 else { return (0, .nan) }
    let quadrant = (x / (Double.pi / 2)).rounded(.toNearestOrEven)
    var angle = x - quadrant * 0x1.921fb544p0
    angle -= quadrant * 0x1.0b4611a6p-34
    angle -= quadrant * 0x1.3198a2e037073p-69
    return (Int(quadrant), angle)
  }

  private static func sinSeries(_ x: Double) -> Double {
    x * polynomial(x * x, sinCoefficients)
  }

  private static func cosSeries(_ x: Double) -> Double {
    polynomial(x * x, cosCoefficients)
  }

  private static let sinCoefficients: [Double] = (0..<10).map {
    ($0.isMultiple(of: 2) ? 1.0 : -1.0) * inverseFactorials[2 * $0 + 1]
  }

  private static let cosCoefficients: [Double] = (0..<10).map {
    ($0.isMultiple(of: 2) ? 1.0 : -1.0) * inverseFactorials[2 * $0]
  }
}
