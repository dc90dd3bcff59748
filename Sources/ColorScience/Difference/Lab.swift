/// CIE 1976 L*a*b*.
package struct Lab: Equatable, Sendable {
  package var lightness: Double
  package var a: Double
  package var b: Double

  package init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// From XYZ (Y = 1 for white) relative to a white; CIE 15:2018, 8.2.1.
  package init(xyz: Vector3, white: Chromaticity) {
    let reference = white.xyz
    func f(_ ratio: Double) -> Double {
      let delta = 6.0 / 29
      if ratio > delta * delta * delta { return PortableMath.cbrt(ratio) }
      return ratio / (3 * delta * delta) + 4.0 / 29
    }
    let x = f(xyz.x / reference.x)
    let y = f(xyz.y / reference.y)
    let z = f(xyz.z / reference.z)
    self.init(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  /// Back to XYZ under the same white.
  package func xyz(white: Chromaticity) -> Vector3 {
    func inverse(_ f: Double) -> Double {
      let delta = 6.0 / 29
      return f > delta ? f * f * f : 3 * delta * delta * (f - 4.0 / 29)
    }
    let y = (lightness + 16) / 116
    return white.xyz * Vector3(inverse(y + a / 500), inverse(y), inverse(y - b / 200))
  }
}
