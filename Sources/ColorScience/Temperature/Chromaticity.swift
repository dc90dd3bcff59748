/// A CIE 1931 chromaticity.
package struct Chromaticity: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// ASTM E308 / CIE 15 white points.
  package static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
  package static let d55 = Chromaticity(x: 0.3324, y: 0.3474)
  package static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// The white of ACES, near D60: SMPTE ST 2065-1.
  package static let aces = Chromaticity(x: 0.32168, y: 0.33767)
}
