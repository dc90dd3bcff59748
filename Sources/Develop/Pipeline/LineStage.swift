/// A stage on single linear samples before the demosaic, in place: a gain map, a polynomial.
protocol LineStage: StageKernel {
  /// Changes one row of one sample.
  func apply(_ line: SampleLine)
}

/// One row of one sample of a pixel (a mosaic has one) within the active area, split into its even and
/// its odd columns.
///
/// The values are linear, 1 being white: before white balance, black taken off. Index `start + i` of
/// `even` is column `columns.lowerBound + 2 i`, of `odd` the column after it.
struct SampleLine {
  let even: SampleRow
  let odd: SampleRow
  let start: Int
  /// Columns of the active area, the first of them even; the last may be an even one too.
  let columns: Range<Int>
  /// The row of the active area.
  let y: Int
  /// The sample of the pixel, 0 for mosaics.
  let sample: Int
  /// A row at least as long as each half, for anything.
  let scratch: SampleRow

  /// Index of the even-odd pair that a column belongs to.
  @inline(__always)
  func index(_ column: Int) -> Int { start + (column - columns.lowerBound) >> 1 }

  /// One sample.
  @inline(__always)
  subscript(column: Int) -> Float {
    get { column & 1 == 0 ? even[index(column)] : odd[index(column)] }
    nonmutating set {
      if column & 1 == 0 { even[index(column)] = newValue } else { odd[index(column)] = newValue }
    }
  }
}
