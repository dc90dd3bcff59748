internal import Raster

/// The end of a pass that another follows: the last pixel stages, and the intermediate picture.
final class IntermediateRows: RowConsumer {
  private let pixels: PixelRows
  private let picture: IntermediatePicture
  private let memory: ScratchMemory
  private let row: SampleRow

  /// For tiles up to `width` columns wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ stages: [any PixelStage],
    geometry: RegionGeometry,
    width: Int,
    picture: IntermediatePicture
  ) throws(RasterError) {
    let columns = width + 2 * MenonDemosaic.halo + 33
    let scratchRowCount = PixelRows.scratchRowCount(stages)
    var memory = try ScratchMemory(rowCount: scratchRowCount + 1, samples: columns)
    pixels = PixelRows(stages: stages, geometry: geometry, scratch: memory.take(scratchRowCount))
    row = memory.take(1).row(0)
    self.memory = memory
    self.picture = picture
  }

  func begin(_ region: Region) {}

  func take(_ row: SplitRow) {
    pixels.run(row)
    let shift = row.origin - row.columns.lowerBound
    for color in 0..<3 {
      row.interleave(color, into: self.row, shift: shift)
      write(self.row, color, y: row.y, columns: row.columns)
    }
  }

  func take(_ row: FullRow) {
    pixels.run(row.rows, y: row.y, columns: row.columns)
    for color in 0..<3 { write(row.rows[color], color, y: row.y, columns: row.columns) }
  }

  private func write(_ row: SampleRow, _ color: Int, y: Int, columns: Range<Int>) {
    let codes = unsafe picture.pointer(color, x: columns.lowerBound, y: y)
    let count = columns.count
    var i = 0
    while i + 8 <= count {
      let pairs = unsafe unsafeBitCast(
        IntermediateCode.encode(row[lanes: i]),
        to: SIMD16<UInt16>.self
      )
      unsafe UnsafeMutableRawPointer(codes + i).storeBytes(
        of: pairs.evenHalf,
        as: SIMD8<UInt16>.self
      )
      i += 8
    }
    // The columns after these belong to another lane's tile.
    let rest = IntermediateCode.encode(row[lanes: i])
    for lane in 0..<(count - i) {
      unsafe codes[i + lane] = UInt16(truncatingIfNeeded: rest[lane])
    }
  }
}

extension SplitRow {
  /// Puts even and odd columns of a colour side by side again; index `2 i + shift` takes pair `i`.
  @inline(__always)
  func interleave(_ color: Int, into row: SampleRow, shift: Int) {
    let pairs = pairs
    for i in stride(from: pairs.lowerBound, to: pairs.upperBound, by: 8) {
      let even = even[color][lanes: i]
      let odd = odd[color][lanes: i]
      var low = Lanes()
      low.evenHalf = even.lowHalf
      low.oddHalf = odd.lowHalf
      var high = Lanes()
      high.evenHalf = even.highHalf
      high.oddHalf = odd.highHalf
      row[lanes: 2 * i + shift] = low
      row[lanes: 2 * i + shift + 8] = high
    }
  }
}
