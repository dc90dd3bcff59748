internal import Raster

/// The end of a development: pixel stages on one row, encoding, and the picture.
// @safe: a lane lives within `EncodingTables.withPointers`, so the tables outlive it.
@safe
struct FusedRows: RowConsumer, ~Copyable {
  private let stages: [any PixelStage]
  private let writer: PictureWriter
  private var memory: ScratchMemory
  private let scratch: SampleRow.Allocation
  private let even: [3 of SampleRow]
  private let odd: [3 of SampleRow]
  private var packed: Plane<UInt32>
  private let tables: EncodingTables.Pointers

  /// For tiles up to `width` columns wide.
  @unsafe
  init(
    _ plan: DevelopPlan,
    width: Int,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) throws(RasterError) {
    // With the demosaic's halo and whole vectors.
    let columns = width + 2 * MenonDemosaic.halo + 17
    let scratchRowCount = plan.pixelScratchRowCount
    var memory = try ScratchMemory(rowCount: scratchRowCount + 6, samples: columns)
    let packed = try Plane<UInt32>(width: columns + 32, height: 1)
    unsafe self.tables = tables
    self.packed = packed
    scratch = memory.take(scratchRowCount)
    let rows = memory.take(6)
    even = [rows.row(0), rows.row(1), rows.row(2)]
    odd = [rows.row(3), rows.row(4), rows.row(5)]
    self.memory = memory
    self.writer = writer
    if case .pixels(let stages)? = plan.pictureSteps.last {
      self.stages = stages
    } else {
      stages = []
    }
  }

  mutating func take(_ row: SplitRow) {
    let y = Double(row.y)
    let range = row.pairs
    run(
      PixelRow(
        rows: row.even,
        range: range,
        place: RowPlace(y: y, x: Double(row.origin), step: 2),
        scratch: scratch
      )
    )
    run(
      PixelRow(
        rows: row.odd,
        range: range,
        place: RowPlace(y: y, x: Double(row.origin + 1), step: 2),
        scratch: scratch
      )
    )
    write(row)
  }

  /// Takes a row that is not split: index 0 is column `columns.lowerBound`.
  mutating func take(_ rows: [3 of SampleRow], y: Int, columns: Range<Int>, place: RowPlace) {
    let count = columns.count
    run(PixelRow(rows: rows, range: 0..<count, place: place, scratch: scratch))
    for color in 0..<3 {
      let row = rows[color]
      for i in stride(from: 0, to: count, by: 16) {
        let low = row[lanes: i]
        let high = row[lanes: i + 8]
        even[color][lanes: i / 2] = Lanes(lowHalf: low.evenHalf, highHalf: high.evenHalf)
        odd[color][lanes: i / 2] = Lanes(lowHalf: low.oddHalf, highHalf: high.oddHalf)
      }
    }
    write(SplitRow(even: even, odd: odd, origin: columns.lowerBound, y: y, columns: columns))
  }

  @inline(__always)
  private func run(_ row: PixelRow) {
    for stage in stages { stage.apply(row) }
  }

  private mutating func write(_ row: SplitRow) {
    let range = row.pairs
    for color in 0..<3 {
      for samples in [row.even[color], row.odd[color]] {
        for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          samples[bits: i] = EncodingTables.position(samples[lanes: i])
        }
      }
    }
    let writer = writer
    let tables = unsafe tables
    unsafe packed.withUnsafeMutableSamples { packed in
      unsafe writer.write(
        PictureWriter.Row(even: row.even, odd: row.odd, origin: row.origin),
        y: row.y,
        columns: row.columns,
        packed: packed,
        tables: tables
      )
    }
  }
}
