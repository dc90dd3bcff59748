internal import Raster

/// One lane's resizing: rows come in, resized ones go on to the next consumer.
///
/// Each row is resized along itself and added to the output rows that it is part of; an output row goes
/// on with its last. The order of sums is that of the picture, whatever the tile.
final class ScaledRows: RowConsumer {
  private let pixels: PixelRows
  private let columns: ScaleFilter
  private let lines: ScaleFilter
  private let next: any RowConsumer
  private let memory: ScratchMemory
  private let full: [3 of SampleRow]
  private let resized: [3 of SampleRow]
  private let sums: [3 of RowRing]
  private let ringSize: Int
  private var output = Region(left: 0, top: 0, width: 0, height: 0)
  /// The first output row that is not finished.
  private var nextOutput = 0

  /// For output tiles up to `width` columns, which need inputs up to `inputWidth` wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ stages: [any PixelStage],
    geometry: RegionGeometry,
    columns: ScaleFilter,
    lines: ScaleFilter,
    width: Int,
    inputWidth: Int,
    next: any RowConsumer
  ) throws(RasterError) {
    let ringSize = Self.ringSize(lines)
    let scratchRowCount = PixelRows.scratchRowCount(stages)
    var memory = try ScratchMemory(
      rowCount: scratchRowCount + 6 + 3 * ringSize,
      samples: max(width, inputWidth) + 2 * MenonDemosaic.halo + 49
    )
    pixels = PixelRows(stages: stages, geometry: geometry, scratch: memory.take(scratchRowCount))
    let rows = memory.take(6)
    full = [rows.row(0), rows.row(1), rows.row(2)]
    resized = [rows.row(3), rows.row(4), rows.row(5)]
    sums = [
      RowRing(memory.take(ringSize), rowCount: ringSize),
      RowRing(memory.take(ringSize), rowCount: ringSize),
      RowRing(memory.take(ringSize), rowCount: ringSize),
    ]
    self.ringSize = ringSize
    self.memory = memory
    self.columns = columns
    self.lines = lines
    self.next = next
  }

  /// The input that an output region needs.
  static func input(of region: Region, columns: ScaleFilter, lines: ScaleFilter) -> Region {
    let left = columns.taps(region.left).lowerBound
    let right = columns.taps(region.right - 1).upperBound
    let top = lines.taps(region.top).lowerBound
    let bottom = lines.taps(region.bottom - 1).upperBound
    return Region(left: left, top: top, width: right - left, height: bottom - top)
  }

  /// Output rows that are open at the same time, as a power of two.
  private static func ringSize(_ lines: ScaleFilter) -> Int {
    var most = 1
    var first = 0
    for index in lines.firsts.indices {
      while lines.firsts[first] + lines.tapCount <= lines.firsts[index] { first += 1 }
      most = max(most, index - first + 1)
    }
    var size = 1
    while size < most + 1 { size *= 2 }
    return size
  }

  func begin(_ region: Region) {
    output = region
    nextOutput = region.top
    next.begin(region)
  }

  func take(_ row: SplitRow) {
    pixels.run(row)
    for color in 0..<3 {
      row.interleave(color, into: full[color], shift: row.origin - row.columns.lowerBound)
    }
    add(full, y: row.y, left: row.columns.lowerBound)
  }

  func take(_ row: FullRow) {
    pixels.run(row.rows, y: row.y, columns: row.columns)
    add(row.rows, y: row.y, left: row.columns.lowerBound)
  }

  private func add(_ rows: [3 of SampleRow], y: Int, left: Int) {
    for color in 0..<3 { resize(rows[color], left: left, into: resized[color]) }
    var line = nextOutput
    while line < output.bottom, lines.taps(line).lowerBound <= y {
      let taps = lines.taps(line)
      if taps.contains(y) {
        let weight = lines.weights[(line + lines.margin) * lines.tapCount + (y - taps.lowerBound)]
        add(weight, to: line, isFirst: y == taps.lowerBound)
      }
      if taps.upperBound - 1 == y {
        next.take(
          FullRow(
            rows: [sums[0][line], sums[1][line], sums[2][line]],
            y: line,
            columns: output.columns
          )
        )
        nextOutput = line + 1
      }
      line += 1
    }
  }

  private func add(_ weight: Float, to line: Int, isFirst: Bool) {
    let weight = Lanes(repeating: weight)
    for color in 0..<3 {
      let sum = sums[color][line]
      let row = resized[color]
      for i in stride(from: 0, to: output.width, by: 8) {
        let part = row[lanes: i] * weight
        sum[lanes: i] = isFirst ? part : sum[lanes: i] + part
      }
    }
  }

  /// Resizes along a row whose index 0 is column `left`.
  private func resize(_ row: SampleRow, left: Int, into result: SampleRow) {
    let tapCount = columns.tapCount
    unsafe columns.weights.withUnsafeBufferPointer { weights in
      unsafe columns.firsts.withUnsafeBufferPointer { firsts in
        for index in 0..<output.width {
          // Within the tables: they cover the picture's outputs and the margin of every halo.
          let place = output.left + index + columns.margin
          let first = unsafe firsts[place] - left
          var sum: Float = 0
          for tap in 0..<tapCount {
            sum += unsafe weights[place * tapCount + tap] * row[first + tap]
          }
          result[index] = sum
        }
      }
    }
  }
}
