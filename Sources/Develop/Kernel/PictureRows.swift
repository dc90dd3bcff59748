internal import Raster

/// The end of a development: the last pixel stages, encoding, and the picture.
// @safe: a lane lives within `EncodingTables.withPointers`, so the tables outlive it.
@safe
final class PictureRows: RowConsumer {
  private let pixels: PixelRows
  private let writer: PictureWriter
  private let memory: ScratchMemory
  private let even: [3 of SampleRow]
  private let odd: [3 of SampleRow]
  private var packed: Plane<UInt32>
  private let tables: EncodingTables.Pointers

  /// For tiles up to `width` columns wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  @unsafe
  init(
    _ stages: [any PixelStage],
    geometry: RegionGeometry,
    width: Int,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) throws(RasterError) {
    // With the demosaic's halo and whole vectors.
    let columns = width + 2 * MenonDemosaic.halo + 17
    let scratchRowCount = PixelRows.scratchRowCount(stages)
    var memory = try ScratchMemory(rowCount: scratchRowCount + 6, samples: columns)
    packed = try Plane<UInt32>(width: columns + 32, height: 1)
    unsafe self.tables = tables
    pixels = PixelRows(stages: stages, geometry: geometry, scratch: memory.take(scratchRowCount))
    let rows = memory.take(6)
    even = [rows.row(0), rows.row(1), rows.row(2)]
    odd = [rows.row(3), rows.row(4), rows.row(5)]
    self.memory = memory
    self.writer = writer
  }

  func begin(_ region: Region) {}

  func take(_ row: SplitRow) {
    pixels.run(row)
    write(row)
  }

  func take(_ row: FullRow) {
    pixels.run(row.rows, y: row.y, columns: row.columns)
    for color in 0..<3 {
      let samples = row.rows[color]
      for i in stride(from: 0, to: row.columns.count, by: 16) {
        let low = samples[lanes: i]
        let high = samples[lanes: i + 8]
        even[color][lanes: i / 2] = Lanes(lowHalf: low.evenHalf, highHalf: high.evenHalf)
        odd[color][lanes: i / 2] = Lanes(lowHalf: low.oddHalf, highHalf: high.oddHalf)
      }
    }
    write(
      SplitRow(
        even: even,
        odd: odd,
        origin: row.columns.lowerBound,
        y: row.y,
        columns: row.columns
      )
    )
  }

  private func write(_ row: SplitRow) {
    let range = row.pairs
    for color in 0..<3 {
      let even = row.even[color]
      let odd = row.odd[color]
      for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        even[bits: i] = EncodingTables.position(even[lanes: i])
        odd[bits: i] = EncodingTables.position(odd[lanes: i])
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
