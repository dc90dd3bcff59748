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
    // Index i of `even` is column 2 i + shift.
    let shift = columns.lowerBound - 2 * start
    for map in maps {
      guard let extent = map.columns(row: row, sample: sample) else { continue }
      let end = min(extent.end, columns.upperBound)
      guard extent.first < end else { continue }
      map.gridRow(row: row, sample: sample, into: &gridRow)
      let pitch = map.map.columnPitch
      for run in map.runs {
        let first = max(run.columns.lowerBound, extent.first, columns.lowerBound)
        let last = min(run.columns.upperBound, end)
        guard first < last else { continue }
        let left = gridRow[run.cell]
        let rise = gridRow[min(run.cell + 1, gridRow.count - 1)] - left
        let ramp = Ramp(left: left, rise: rise, shift: shift)
        if pitch <= 2 {
          let parity = extent.first & 1
          if pitch == 1 || parity == 0 {
            ramp.apply(even, map.evenFractions, parity: 0, columns: first..<last, limits.even)
          }
          if pitch == 1 || parity == 1 {
            ramp.apply(odd, map.oddFractions, parity: 1, columns: first..<last, limits.odd)
          }
        } else {
          var column = extent.first + (first - extent.first + pitch - 1) / pitch * pitch
          while column < last {
            let isEven = column & 1 == 0
            ramp.apply(
              isEven ? even : odd,
              isEven ? map.evenFractions : map.oddFractions,
              parity: column & 1,
              columns: column..<(column + 1),
              isEven ? limits.even : limits.odd
            )
            column += pitch
          }
        }
      }
    }
  }

  /// Gains between two grid columns.
  private struct Ramp {
    let left: Float
    let rise: Float
    /// Index i of a half row is column `2 i + shift + parity`.
    let shift: Int

    /// Multiplies the columns of one parity within `columns`, clipping at 0 and `limit`.
    @inline(__always)
    func apply(
      _ row: SampleRow,
      _ fractions: [Float],
      parity: Int,
      columns: Range<Int>,
      _ limit: Float
    ) {
      // Of half rows of the whole active area: column = 2 half + parity.
      var half = (columns.lowerBound - parity + 1) >> 1
      let end = (columns.upperBound - parity + 1) >> 1
      let offset = -(shift / 2)
      unsafe fractions.withUnsafeBufferPointer { fractions in
        guard let base = fractions.baseAddress else { return }
        let leftLanes = Lanes(repeating: left)
        let riseLanes = Lanes(repeating: rise)
        while half + 8 <= end {
          // Eight fractions from `half` lie within the buffer, as `end` does.
          let fraction = unsafe UnsafeRawPointer(base + half)
            .loadUnaligned(as: Lanes.self)
          let gain = leftLanes + riseLanes * fraction
          row[lanes: half + offset] = (row[lanes: half + offset] * gain).clamped(0, limit)
          half += 8
        }
        while half < end {
          let gain = unsafe left + rise * fractions[half]
          row[half + offset] = min(max(row[half + offset] * gain, 0), limit)
          half += 1
        }
      }
    }
  }
}
