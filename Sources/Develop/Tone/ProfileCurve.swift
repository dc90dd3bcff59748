internal import RawModel

/// A profile's tone curve as a function: a natural cubic spline through its points.
///
/// The spline is the one with continuous second derivatives that vanish at both ends; before the first and
/// after the last point it is level. Values are held within 0 and 1, as a standard-range curve is a curve of
/// what a display shows. DNG 1.7.1 chapter 6, "ProfileToneCurve". Version 1.
struct ProfileCurve {
  private let x: [Double]
  private let y: [Double]
  /// The spline's derivative at each point.
  private let slopes: [Double]

  /// Points of a curve at most.
  static let pointLimit = 65_536

  /// - Throws: `profileUnusable` for points that are no function.
  init(_ curve: ProfileToneCurve) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .profileUnusable(tag: "ProfileToneCurve", reason: reason)
    }
    let points = curve.points
    guard (2...Self.pointLimit).contains(points.count) else {
      throw unusable("has \(points.count) points; it must have 2 to \(Self.pointLimit)")
    }
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
      throw unusable("has a point that is not finite")
    }
    for (point, next) in zip(points, points.dropFirst()) where next.x <= point.x {
      throw unusable("has points whose x do not ascend")
    }
    x = points.map { Double($0.x) }
    y = points.map { Double($0.y) }
    slopes = Self.slopes(x, y)
  }

  /// Solves the spline's tridiagonal equations for the derivatives:
  /// `h1 s0 + 2 (h0 + h1) s1 + h0 s2 = 3 (h1 d0 + h0 d1)` at inner points with widths h and gradients d,
  /// and `2 s0 + s1 = 3 d0` at the ends, where the second derivative is 0.
  private static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
    let count = x.count
    let widths = (1..<count).map { x[$0] - x[$0 - 1] }
    let gradients = (1..<count).map { (y[$0] - y[$0 - 1]) / widths[$0 - 1] }
    // Forward elimination to s[i] = result[i] - upper[i] s[i + 1].
    var upper = Array(repeating: 0.0, count: count)
    var result = Array(repeating: 0.0, count: count)
    upper[0] = 0.5
    result[0] = 1.5 * gradients[0]
    for i in 1..<count {
      let isLast = i == count - 1
      let before = widths[i - 1]
      let after = isLast ? 0 : widths[i]
      let lower = isLast ? 1 : after
      let diagonal = isLast ? 2 : 2 * (before + after)
      let right =
        isLast
        ? 3 * gradients[i - 1] : 3 * (after * gradients[i - 1] + before * gradients[i])
      let pivot = diagonal - lower * upper[i - 1]
      upper[i] = isLast ? 0 : before / pivot
      result[i] = (right - lower * result[i - 1]) / pivot
    }
    for i in (0..<(count - 1)).reversed() { result[i] -= upper[i] * result[i + 1] }
    return result
  }

  /// The curve at `position`.
  func value(_ position: Double) -> Double {
    let last = x.count - 1
    if position <= x[0] { return min(max(y[0], 0), 1) }
    if position >= x[last] { return min(max(y[last], 0), 1) }
    var low = 0
    var high = last
    while high - low > 1 {
      let middle = (low + high) / 2
      if x[middle] <= position { low = middle } else { high = middle }
    }
    // The cubic with these values and derivatives at both ends.
    let width = x[high] - x[low]
    let t = (position - x[low]) / width
    let u = 1 - t
    let ends = y[low] * u * u * (1 + 2 * t) + y[high] * t * t * (1 + 2 * u)
    let bends = width * t * u * (slopes[low] * u - slopes[high] * t)
    return min(max(ends + bends, 0), 1)
  }
}
