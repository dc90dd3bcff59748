internal import Raster
internal import RawModel

/// Finds the samples of a row that an opcode's area names.
enum SampleRuns {
  /// Calls `body` with the runs of a row, whose index `first` is column `x`, each next one `step` columns
  /// on, up to the index `end`.
  ///
  /// `region` is the area within the image.
  @inline(__always)
  static func forEach(
    _ row: SampleRow,
    indices: Range<Int>,
    x: Int,
    step: Int,
    y: Int,
    area: OpcodeArea,
    region: Region,
    _ body: (SampleRun) -> Void
  ) {
    guard region.rows.contains(y), (y - region.top) % area.rowPitch == 0 else { return }
    // The first and the last index within the region's columns.
    let low = max(0, ceilingDivide(region.left - x, step))
    let high = min(indices.count, ceilingDivide(region.right - x, step))
    guard low < high else { return }
    let pitch = area.columnPitch
    let first = x + low * step
    func run(_ offset: Int, _ count: Int) -> SampleRun {
      let start = indices.lowerBound + offset
      return SampleRun(
        row: row,
        indices: start..<(start + count),
        x: x + offset * step,
        step: step,
        y: y
      )
    }
    if step % pitch == 0 {
      // Every sample of the row, or none.
      if (first - region.left) % pitch == 0 { body(run(low, high - low)) }
      return
    }
    for offset in low..<high where (x + offset * step - region.left) % pitch == 0 {
      body(run(offset, 1))
    }
  }

  /// Calls `body` with the runs of one colour of a row of pixels.
  ///
  /// In scaled pictures, whose places are fractional, the nearest whole pixel says whether the area names
  /// a sample.
  @inline(__always)
  static func forEach(
    _ row: PixelRow,
    _ color: Int,
    area: OpcodeArea,
    region: Region,
    _ body: (SampleRun) -> Void
  ) {
    let place = row.place
    let y = whole(place.y)
    guard region.rows.contains(y) else { return }
    func runs(_ indices: Range<Int>, step: Int) {
      forEach(
        row.rows[color],
        indices: indices,
        x: whole(place.x(indices.lowerBound)),
        step: step,
        y: y,
        area: area,
        region: region,
        body
      )
    }
    if place.step == place.step.rounded(), place.step >= 1 {
      runs(row.range, step: Int(place.step))
    } else {
      for i in row.range { runs(i..<(i + 1), step: 1) }
    }
  }

  /// The nearest whole pixel.
  static func whole(_ place: Double) -> Int { Int((place + 0.5).rounded(.down)) }

  private static func ceilingDivide(_ number: Int, _ divisor: Int) -> Int {
    number > 0 ? (number - 1) / divisor + 1 : -(-number / divisor)
  }
}
