extension Chromaticity {
  /// CIE XYZ with Y = 1.
  package var xyz: Vector3 {
    Vector3(x / y, 1, (1 - x - y) / y)
  }

  /// The chromaticity of a colour; nil where X + Y + Z is not positive.
  package init?(xyz: Vector3) {
    let sum = xyz.sum()
    guard sum > 0, sum.isFinite else { return nil }
    self.init(x: xyz.x / sum, y: xyz.y / sum)
  }

  /// Whether it can be a white: finite, inside the triangle, with a luminance.
  package var isPlausible: Bool {
    x.isFinite && y.isFinite && x > 0 && y > 0 && x + y < 1
  }

  /// CIE 1960 (u, v).
  var uv1960: (u: Double, v: Double) {
    let denominator = 1.5 - x + 6 * y
    return (2 * x / denominator, 3 * y / denominator)
  }

  /// From CIE 1960 (u, v).
  init(u: Double, v: Double) {
    let denominator = u - 4 * v + 2
    self.init(x: 1.5 * u / denominator, y: v / denominator)
  }
}
