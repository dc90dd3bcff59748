internal import ColorScience

/// Linear RIMM (D50) to linear Display P3 (D65), adapted by Bradford.
///
/// Version 1.
struct OutputColorStage: PixelStage {
  static let name = "outputColor"

  private let matrix = LaneMatrix(RGBSpace.romm.matrix(to: .displayP3))

  func apply(_ row: PixelRow) {
    matrix.apply(row.rows, row.range)
  }
}
