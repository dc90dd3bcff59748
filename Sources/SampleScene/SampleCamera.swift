package import ColorScience
package import RawModel

/// The camera that photographs the scene: a sensor whose colours follow the DNG model exactly.
///
/// Its two ColorMatrices are the project's own choice, in the range of real sensors: a red channel
/// that needs about 2.1 times the green's exposure in daylight and 1.3 times under tungsten, a blue
/// channel 1.35 and 2.7 times, and moderate overlap. Everything else is derived, so that the plain
/// arithmetic of the DNG specification (chapter 6) gets the scene's colours back:
/// ForwardMatrix = Bradford(white to D50) * inverse(ColorMatrix) * diagonal(ColorMatrix * white).
package struct SampleCamera: Sendable {
  /// The light of the scene: D55, between the two calibrations.
  package static let sceneWhite = Chromaticity.d55
  /// Exif LightSource: standard light A and D65.
  private static let illuminants = (tungsten: 17, daylight: 21)
  /// CIE 15 standard illuminant A.
  private static let tungstenWhite = Chromaticity(x: 0.44757, y: 0.40745)
  private static let tungstenMatrix = Matrix3(
    Vector3(0.86, -0.27, -0.03),
    Vector3(-0.42, 1.22, 0.23),
    Vector3(-0.04, 0.12, 0.66)
  )
  private static let daylightMatrix = Matrix3(
    Vector3(0.80, -0.20, -0.08),
    Vector3(-0.45, 1.28, 0.18),
    Vector3(-0.06, 0.16, 0.62)
  )

  /// EV between the brightness of the scene and the exposure: white (Y = 1) lies this much below
  /// the sensor's clip, and BaselineExposure makes up for it.
  package static let headroom = 0.5

  /// The tags of the camera profile, with the neutral of the scene's light.
  package let color: CameraColor
  /// Scene colour (XYZ under D50, white at Y = 1) to camera values, where 1 is the sensor's clip.
  package let sceneToCamera: Matrix3

  package init() {
    let tungsten = Self.forwardMatrix(Self.tungstenMatrix, white: Self.tungstenWhite)
    let daylight = Self.forwardMatrix(Self.daylightMatrix, white: .d65)
    let weight = Self.tungstenWeight
    let colorMatrix = weight * Self.tungstenMatrix + (1 - weight) * Self.daylightMatrix
    let forwardMatrix = weight * tungsten + (1 - weight) * daylight
    let white = colorMatrix * Self.sceneWhite.xyz
    let neutral = white / white.max()
    color = CameraColor(
      calibrations: [
        CameraColor.Calibration(
          illuminant: Self.illuminants.tungsten,
          colorMatrix: Self.tungstenMatrix,
          forwardMatrix: tungsten
        ),
        CameraColor.Calibration(
          illuminant: Self.illuminants.daylight,
          colorMatrix: Self.daylightMatrix,
          forwardMatrix: daylight
        ),
      ],
      asShotWhite: .neutral(neutral)
    )
    let exposure = PortableMath.exp2(-Self.headroom)
    sceneToCamera = exposure * (Matrix3(diagonal: neutral) * inverse(forwardMatrix))
  }

  /// The share of the tungsten calibration under the scene's light: linear in 1/T (DNG 1.7.1
  /// chapter 6, "Translating White Balance xy Coordinates").
  private static var tungstenWeight: Double {
    guard
      let first = Illuminant(rawValue: illuminants.tungsten).kelvin,
      let second = Illuminant(rawValue: illuminants.daylight).kelvin
    else {
      preconditionFailure("both illuminants have a temperature")
    }
    let scene = ColorTemperature(sceneWhite).kelvin
    return (1 / scene - 1 / second) / (1 / first - 1 / second)
  }

  private static func forwardMatrix(_ colorMatrix: Matrix3, white: Chromaticity) -> Matrix3 {
    ChromaticAdaptation.bradford(from: white, to: .d50) * inverse(colorMatrix)
      * Matrix3(diagonal: colorMatrix * white.xyz)
  }
}

/// The inverse of one of the camera's matrices, all of which are far from singular.
private func inverse(_ matrix: Matrix3) -> Matrix3 {
  guard let inverse = matrix.inverse else { preconditionFailure("a camera matrix is singular") }
  return inverse
}
