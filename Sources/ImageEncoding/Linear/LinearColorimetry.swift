package import ColorScience

/// The colour space of a linear picture, as files state it.
package struct LinearColorimetry: Equatable, Sendable {
  /// For people (`Rec. 2020`).
  package var name: String
  package var red: Chromaticity
  package var green: Chromaticity
  package var blue: Chromaticity
  /// Where equal values lie.
  package var white: Chromaticity
  /// The chromaticity of what is neutral.
  package var neutral: Chromaticity
  /// Whether an ICC profile with three primaries can say it.
  package var isRGB: Bool

  /// An RGB space, whose white is what is neutral.
  package init(_ space: RGBSpace, name: String) {
    self.name = name
    red = space.red
    green = space.green
    blue = space.blue
    white = space.white
    neutral = space.white
    isRGB = true
  }

  /// CIE XYZ of scenes whose neutral has this chromaticity.
  package init(xyzUnder neutral: Chromaticity, name: String) {
    self.name = name
    red = Chromaticity(x: 1, y: 0)
    green = Chromaticity(x: 0, y: 1)
    blue = Chromaticity(x: 0, y: 0)
    white = Chromaticity(x: 1 / 3, y: 1 / 3)
    self.neutral = neutral
    isRGB = false
  }
}
