/// A linear RGB space: three primaries and a white.
package struct RGBSpace: Equatable, Sendable {
  package let red: Chromaticity
  package let green: Chromaticity
  package let blue: Chromaticity
  package let white: Chromaticity
  /// Linear RGB to XYZ under the space's own white; white has Y = 1.
  package let toXYZ: Matrix3
  /// XYZ under the space's own white to linear RGB.
  package let fromXYZ: Matrix3

  /// Derives the matrices (SMPTE RP 177); nil where the primaries span no volume.
  package init?(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    let primaries = Matrix3(columns: red.xyz, green.xyz, blue.xyz)
    guard let inverse = primaries.inverse else { return nil }
    let toXYZ = primaries * Matrix3(diagonal: inverse * white.xyz)
    guard let fromXYZ = toXYZ.inverse else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.toXYZ = toXYZ
    self.fromXYZ = fromXYZ
  }

  /// The matrix from this space's linear RGB to another's, adapted by Bradford where the whites differ.
  package func matrix(to other: RGBSpace) -> Matrix3 {
    guard white != other.white else { return other.fromXYZ * toXYZ }
    return other.fromXYZ * ChromaticAdaptation.bradford(from: white, to: other.white) * toXYZ
  }

  /// The matrix from XYZ under `source` to linear RGB, adapted by Bradford where the whites differ.
  package func matrix(fromXYZUnder source: Chromaticity) -> Matrix3 {
    guard white != source else { return fromXYZ }
    return fromXYZ * ChromaticAdaptation.bradford(from: source, to: white)
  }

  /// The matrix from linear RGB to XYZ under `destination`, adapted by Bradford where whites differ.
  package func matrix(toXYZUnder destination: Chromaticity) -> Matrix3 {
    guard white != destination else { return toXYZ }
    return ChromaticAdaptation.bradford(from: white, to: destination) * toXYZ
  }
}
