package import ColorScience

/// How the camera's colours relate to CIE XYZ: the colour tags of the DNG camera profile.
///
/// DNG 1.7.1 chapter 6. Matrices are as stored; interpolation and inversion are Develop's.
package struct CameraColor: Equatable, Sendable {
  /// One calibration: the matrices for one illuminant.
  package struct Calibration: Equatable, Sendable {
    /// EXIF LightSource code (CalibrationIlluminant, 50778/50779).
    package var illuminant: Int
    /// XYZ to camera (ColorMatrix).
    package var colorMatrix: Matrix3
    /// White-balanced camera to XYZ D50 (ForwardMatrix).
    package var forwardMatrix: Matrix3?
    /// Individual camera to reference camera (CameraCalibration); nil where the signatures of
    /// profile and camera differ or the tag is absent.
    package var cameraCalibration: Matrix3?

    package init(
      illuminant: Int,
      colorMatrix: Matrix3,
      forwardMatrix: Matrix3? = nil,
      cameraCalibration: Matrix3? = nil
    ) {
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
      self.cameraCalibration = cameraCalibration
    }
  }

  /// The neutral as the camera saw it.
  package enum AsShotWhite: Equatable, Sendable {
    /// Camera values of a neutral (AsShotNeutral, 50728).
    case neutral(Vector3)
    /// Its chromaticity (AsShotWhiteXY, 50729).
    case chromaticity(Chromaticity)
    /// The file has neither; D55 is assumed.
    case unknown
  }

  /// One or two calibrations, in the file's order; empty for monochrome cameras.
  package var calibrations: [Calibration]
  /// Gains between stored and reference camera values (AnalogBalance, 50727); ones by default.
  package var analogBalance: Vector3
  package var asShotWhite: AsShotWhite

  package init(
    calibrations: [Calibration],
    analogBalance: Vector3 = Vector3(1, 1, 1),
    asShotWhite: AsShotWhite
  ) {
    self.calibrations = calibrations
    self.analogBalance = analogBalance
    self.asShotWhite = asShotWhite
  }
}
