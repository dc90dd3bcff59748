internal import ColorScience

/// White-balanced camera values to linear RIMM, with exposure, and from there to linear Display P3.
///
/// Camera values are first clipped at the neutral: past the level at which the first channel of a
/// neutral saturates, colour is unknown, and unclipped channels would tint highlights magenta. The
/// matrices are those of `CameraColorModel`; exposure is a factor `2^(exposure + baselineExposure)`.
/// Version 1.
struct WorkingColorStage: Equatable, Sendable {
  /// Balanced camera to linear RIMM (ROMM primaries, D50), times the exposure.
  let cameraToWorking: Matrix3
  /// Linear RIMM to linear Display P3.
  let workingToOutput: Matrix3

  /// Of a camera with colours.
  init(_ model: CameraColorModel, settings: DevelopSettings) throws(DevelopError) {
    let toXYZ = try model.balancedCameraToXYZ(under: settings.white)
    self.init(RGBSpace.romm.fromXYZ * toXYZ, settings: settings)
  }

  /// Of a monochrome camera: its values are grey.
  init(monochrome settings: DevelopSettings) {
    self.init(.identity, settings: settings)
  }

  private init(_ cameraToWorking: Matrix3, settings: DevelopSettings) {
    let gain = PortableMath.exp2(settings.exposureEV + settings.baselineExposureEV)
    self.cameraToWorking = gain * cameraToWorking
    workingToOutput = RGBSpace.romm.matrix(to: .displayP3)
  }
}
