internal import RawModel

extension GainMapStage {
  /// Applies the maps to one row of one sample, given as its even and odd columns.
  ///
  /// Rows and columns are those of the active area; the first of `columns` is even and stands at index
  /// `start` of `even`. `limits` is what white is in even and odd columns; `gridRow` is scratch.
  func apply(
    row: Int,
    sample: Int,
    columns: Range<Int>,
    even: SampleRow,
    odd: SampleRow,
    start: Int,
    limits: (even: Float, odd: Float),
    gridRow: inout [Float]
  ) {
    for map in maps {
      guard let extent = map.columns(row: row, sample: sample) else { continue }
      map.gridRow(row: row, sample: sample, into: &gridRow)
      let pitch = map.map.columnPitch
      // The first column of the pitch that lies within the columns to do.
      let skipped = max(0, columns.lowerBound - extent.first + pitch - 1) / pitch
      var column = extent.first + skipped * pitch
      let end = min(extent.end, columns.upperBound)
      while column < end {
        let offset = column - columns.lowerBound
        let index = start + offset >> 1
        let gain = map.gain(column: column, gridRow: gridRow)
        if offset & 1 == 0 {
          even[index] = min(max(even[index] * gain, 0), limits.even)
        } else {
          odd[index] = min(max(odd[index] * gain, 0), limits.odd)
        }
        column += pitch
      }
    }
  }
}
