/// A stage on single pixels of three colours, in place, fused into rows.
protocol PixelStage: StageKernel {
  /// Rows of scratch that `PixelRow.scratch` must have.
  var scratchRowCount: Int { get }
  /// Changes the samples of `row.range`; up to seven past it may be changed too.
  func apply(_ row: PixelRow)
}

extension PixelStage {
  var scratchRowCount: Int { 0 }
}

/// Pixels of one row: every one, or every second where a mosaic's row is split.
struct PixelRow {
  /// Red, green and blue.
  let rows: [3 of SampleRow]
  /// The samples that count; it begins at a multiple of nothing in particular, so use `stride`.
  let range: Range<Int>
  let place: RowPlace
  /// Rows as long as the others, for anything.
  let scratch: SampleRow.Allocation
}

/// Where the samples of a row lie: in pixels of the active area after all warps, pixel centres at whole
/// numbers (so that `(x + 0.5) / width` runs from 0 to 1), fractional in scaled pictures.
struct RowPlace: Equatable {
  var y: Double
  /// Of the sample with index 0.
  var x: Double
  /// From one sample to the next.
  var step: Double

  /// The x of a sample.
  @inline(__always)
  func x(_ index: Int) -> Double { x + step * Double(index) }
}
