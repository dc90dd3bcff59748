/// A table of hue shifts, saturation scales and value scales over hue, saturation and value: a
/// profile's HueSatMap (50937-50939, 52537) or its LookTable (50981, 50982).
///
/// DNG 1.7.1 chapter 6, "Hue/Saturation/Value Mapping Table".
package struct HueSatMap: Equatable, Sendable {
  /// How value is encoded around the look-up (ProfileHueSatMapEncoding 51107, ProfileLookTableEncoding
  /// 51108).
  package enum Encoding: Int, Sendable {
    case linear = 0
    case sRGB = 1
  }

  /// One entry as stored.
  package struct Entry: Equatable, Sendable {
    /// Degrees added to the hue.
    package var hueShift: Float
    package var saturationScale: Float
    package var valueScale: Float

    package init(hueShift: Float, saturationScale: Float, valueScale: Float) {
      self.hueShift = hueShift
      self.saturationScale = saturationScale
      self.valueScale = valueScale
    }
  }

  /// At least 1; hue wraps round.
  package var hueDivisions: Int
  /// At least 2.
  package var saturationDivisions: Int
  /// At least 1; 1 makes the table independent of value.
  package var valueDivisions: Int
  /// `valueDivisions * hueDivisions * saturationDivisions` entries: saturation innermost, then hue,
  /// value outermost.
  package var entries: [Entry]
  package var encoding: Encoding

  package init(
    hueDivisions: Int,
    saturationDivisions: Int,
    valueDivisions: Int,
    entries: [Entry],
    encoding: Encoding = .linear
  ) {
    self.hueDivisions = hueDivisions
    self.saturationDivisions = saturationDivisions
    self.valueDivisions = valueDivisions
    self.entries = entries
    self.encoding = encoding
  }
}
