package import ColorScience

/// A colour space of linear scenes.
package enum LinearSpace: Equatable, Sendable {
  /// Primaries and a white; the scene's neutral is the white.
  case rgb(RGBSpace)
  /// CIE XYZ under D50.
  case xyzD50

  /// XYZ under D50 to the space, adapted by Bradford.
  var fromXYZD50: Matrix3 {
    switch self {
    case .rgb(let space): space.matrix(fromXYZUnder: .d50)
    case .xyzD50: .identity
    }
  }
}
