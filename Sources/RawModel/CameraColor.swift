package import ColorScience

/// How the camera's colours relate to CIE XYZ: the colour tags of the DNG camera profile.
///
/// DNG 1.7.1 chapter 6. Matrices are as stored; interpolation and inversion are Develop's.
package struct CameraColor: Equatable, Sendable {
  /// One calibration: the matrices for one illuminant.
  package struct Calibration: Equatable, Sendable {
    /// EXIF LightSource code (CalibrationIlluminant, 50778, 50779, 52529).
    package var illuminant: Int
    /// What the light is where the code is 255, "other" (IlluminantData, 52533-52535).
    package var illuminantData: IlluminantData?
    /// XYZ to camera (ColorMatrix).
    package var colorMatrix: Matrix3
    /// White-balanced camera to XYZ D50 (ForwardMatrix).
    package var forwardMatrix: Matrix3?
    /// Individual camera to reference camera (CameraCalibration); nil where the signatures of
    /// profile and camera differ or the tag is absent.
    package var cameraCalibration: Matrix3?

    package init(
      illuminant: Int,
      illuminantData: IlluminantData? = nil,
      colorMatrix: Matrix3,
      forwardMatrix: Matrix3? = nil,
      cameraCalibration: Matrix3? = nil
    ) {
      self.illuminant = illuminant
      self.illuminantData = illuminantData
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

  /// One to three calibrations, in the file's order; empty for monochrome cameras.
  package var calibrations: [Calibration]
  /// Gains between stored and reference camera values (AnalogBalance, 50727); ones by default.
  package var analogBalance: Vector3
  package var asShotWhite: AsShotWhite
  /// CameraCalibration1-3 as stored, for profiles that come from elsewhere.
  package var cameraCalibrations: [Matrix3?]
  /// CameraCalibrationSignature (50931), which a profile's must equal for `cameraCalibrations` to count;
  /// empty where absent.
  package var cameraCalibrationSignature: String

  package init(
    calibrations: [Calibration],
    analogBalance: Vector3 = Vector3(1, 1, 1),
    asShotWhite: AsShotWhite,
    cameraCalibrations: [Matrix3?] = [],
    cameraCalibrationSignature: String = ""
  ) {
    self.calibrations = calibrations
    self.analogBalance = analogBalance
    self.asShotWhite = asShotWhite
    self.cameraCalibrations = cameraCalibrations
    self.cameraCalibrationSignature = cameraCalibrationSignature
  }
}
