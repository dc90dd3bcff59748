internal import RawModel

extension GainMapStage {
  func apply(_ line: SampleLine) {
    guard let extent = map.columns(row: line.y, sample: line.sample) else { return }
    let columns = line.columns
    let end = min(extent.end, columns.upperBound)
    guard extent.first < end else { return }
    let gains = map.gains(row: line.y, sample: line.sample)
    let pitch = map.map.area.columnPitch
    for run in map.runs {
      let first = max(run.columns.lowerBound, extent.first, columns.lowerBound)
      let last = min(run.columns.upperBound, end)
      guard first < last else { continue }
      let left = gains[run.cell]
      let rise = gains[min(run.cell + 1, map.map.pointsH - 1)] - left
      // Index i of a half row is column `2 i + shift + parity`.
      let ramp = Ramp(left: left, rise: rise, shift: columns.lowerBound - 2 * line.start)
      if pitch <= 2 {
        let parity = extent.first & 1
        if pitch == 1 || parity == 0 {
          ramp.apply(line.even, map.evenFractions, parity: 0, columns: first..<last)
        }
        if pitch == 1 || parity == 1 {
          ramp.apply(line.odd, map.oddFractions, parity: 1, columns: first..<last)
        }
      } else {
        var column = extent.first + (first - extent.first + pitch - 1) / pitch * pitch
        while column < last {
          let isEven = column & 1 == 0
          ramp.apply(
            isEven ? line.even : line.odd,
            isEven ? map.evenFractions : map.oddFractions,
            parity: column & 1,
            columns: column..<(column + 1)
          )
          column += pitch
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

    /// Multiplies the columns of one parity within `columns`, clipping at 0 and 1.
    @inline(__always)
    func apply(_ row: SampleRow, _ fractions: [Float], parity: Int, columns: Range<Int>) {
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
          row[lanes: half + offset] = (row[lanes: half + offset] * gain).clamped(0, 1)
          half += 8
        }
        while half < end {
          let gain = unsafe left + rise * fractions[half]
          row[half + offset] = min(max(row[half + offset] * gain, 0), 1)
          half += 1
        }
      }
    }
  }
}
