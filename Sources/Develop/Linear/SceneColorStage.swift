internal import ColorScience
internal import RawModel

/// White-balanced camera values to a linear colour space, with the recipe's exposure.
///
/// `2^exposure x (XYZ D50 to the space) x (balanced camera to XYZ D50)`. Nothing is clipped: channels that
/// saturate after the first go on above 1, and what lies outside the space is negative. BaselineExposure is
/// not applied. Version 1.
struct SceneColorStage: PixelStage {
  static let name = "sceneColor"

  let matrix: Matrix3
  private let lanes: LaneMatrix

  /// - Throws: Which colour tag is unusable.
  init(_ context: StageContext, space: LinearSpace) throws(DevelopError) {
    // A monochrome camera's values are grey.
    var toXYZ = RGBSpace.romm.toXYZ
    if let camera = context.camera {
      toXYZ = try camera.balancedCameraToXYZ(under: context.settings.white)
    }
    let gain = PortableMath.exp2(context.settings.exposureEV)
    matrix = gain * (space.fromXYZD50 * toXYZ)
    lanes = LaneMatrix(matrix)
  }

  func apply(_ row: PixelRow) { lanes.apply(row.rows, row.range) }
}
