/// A camera profile from a file of its own (`.dcp`): matrices, and what `CameraProfile` says.
package struct ExternalProfile: Equatable, Sendable {
  /// The camera that it is for, as in UniqueCameraModel (50708); nil for any.
  package var cameraModel: String?
  /// One to three.
  package var calibrations: [CameraColor.Calibration]
  package var profile: CameraProfile

  package init(
    cameraModel: String?,
    calibrations: [CameraColor.Calibration],
    profile: CameraProfile
  ) {
    self.cameraModel = cameraModel
    self.calibrations = calibrations
    self.profile = profile
  }
}

extension RawDescription {
  /// Puts a profile in the place of the file's own.
  ///
  /// CameraCalibration stays the camera's, and counts where the signatures are equal (DNG 1.7.1,
  /// "CameraCalibrationSignature").
  package mutating func use(_ external: ExternalProfile) {
    profile = external.profile
    let isCalibrated =
      external.profile.calibrationSignature == color.cameraCalibrationSignature
    color.calibrations = external.calibrations.enumerated().map { index, calibration in
      var calibration = calibration
      let own = index < color.cameraCalibrations.count ? color.cameraCalibrations[index] : nil
      calibration.cameraCalibration = isCalibrated ? own : nil
      return calibration
    }
  }
}
