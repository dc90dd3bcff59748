internal import ColorScience

/// White-balanced camera values to linear RIMM, with exposure.
///
/// Without highlight recovery camera values are first clipped at the neutral: past the level at which the
/// first channel of a neutral saturates, colour is unknown, and unclipped channels would tint highlights
/// magenta. The
/// matrices are those of `CameraColorModel`; exposure is a factor `2^(exposure + baselineExposure)`.
/// Where a profile's stage comes before the exposure, the factor is `ExposureStage`'s. Version 1.
struct WorkingColorStage: PixelStage {
  static let name = "workingColor"

  /// Balanced camera to linear RIMM (ROMM primaries, D50), times the exposure.
  let cameraToWorking: Matrix3
  private let matrix: LaneMatrix
  private let isClipped: Bool

  /// Sets the stage up, with the exposure in its matrix or without.
  ///
  /// - Parameters:
  ///   - context: What the matrices come from.
  ///   - isExposed: Whether exposure is in the matrix.
  /// - Throws: Which colour tag is unusable.
  init(_ context: StageContext, isExposed: Bool) throws(DevelopError) {
    var cameraToWorking = Matrix3.identity
    // A monochrome camera's values are grey.
    if let camera = context.camera {
      let toXYZ = try camera.balancedCameraToXYZ(under: context.settings.white)
      cameraToWorking = RGBSpace.romm.fromXYZ * toXYZ
    }
    let gain = isExposed ? context.settings.exposureGain : 1
    self.cameraToWorking = gain * cameraToWorking
    matrix = LaneMatrix(self.cameraToWorking)
    isClipped = !context.settings.isHighlightRecoveryEnabled
  }

  func apply(_ row: PixelRow) {
    if isClipped {
      matrix.applyClipped(row.rows, row.range)
    } else {
      matrix.apply(row.rows, row.range)
    }
  }
}
