/// Smoothing by the cubic B-spline with holes, `(1, 4, 6, 4, 1) / 16` in both directions.
///
/// J.-L. Starck, F. Murtagh & A. Bijaoui, "Image Processing and Data Analysis: The Multiscale Approach"
/// (1998), chapter 1, "The a trous algorithm". Taps lie `step` samples apart.
enum SplineSmoothing {
  /// Smooths row `y` of `source` over `indices` into `result`; `column` is a scratch row.
  ///
  /// Rows `y - 2 step` to `y + 2 step` of the source and indices as far to both sides are read.
  @inline(__always)
  static func row(
    _ y: Int,
    of source: RowRing,
    into result: SampleRow,
    step: Int,
    indices: Range<Int>,
    column: SampleRow
  ) {
    row(
      rows: (
        source[y - 2 * step], source[y - step], source[y], source[y + step], source[y + 2 * step]
      ),
      into: result,
      step: step,
      indices: indices,
      column: column
    )
  }

  /// The same from five rows.
  static func row(
    rows: (SampleRow, SampleRow, SampleRow, SampleRow, SampleRow),
    into result: SampleRow,
    step: Int,
    indices: Range<Int>,
    column: SampleRow
  ) {
    let reach = 2 * step
    for i in stride(from: indices.lowerBound - reach, to: indices.upperBound + reach, by: 8) {
      let far = rows.0[lanes: i] + rows.4[lanes: i]
      let near = rows.1[lanes: i] + rows.3[lanes: i]
      column[lanes: i] = far + near * 4 + rows.2[lanes: i] * 6
    }
    let scale = Lanes(repeating: 1.0 / 256)
    for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
      let far = column[lanes: i - reach] + column[lanes: i + reach]
      let near = column[lanes: i - step] + column[lanes: i + step]
      result[lanes: i] = (far + near * 4 + column[lanes: i] * 6) * scale
    }
  }
}
