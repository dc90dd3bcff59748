internal import ColorScience
internal import RawModel

/// Undoes the white balance that the demosaic works under.
///
/// `value x neutral`. Version 1.
struct UnbalanceStage: PixelStage {
  static let name = "unbalance"

  private let matrix: LaneMatrix

  init(_ context: StageContext) {
    matrix = LaneMatrix(Matrix3(diagonal: Vector3(repeating: 1) / context.gains))
  }

  func apply(_ row: PixelRow) { matrix.apply(row.rows, row.range) }
}
