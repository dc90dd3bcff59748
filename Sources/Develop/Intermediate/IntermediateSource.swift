internal import Raster

/// One lane's source of rows from an intermediate picture, as it is or through a warp.
final class IntermediateSource: RowSource {
  private let picture: IntermediatePicture
  private let warps: [ResolvedWarp]
  private let memory: ScratchMemory
  private let rows: [3 of SampleRow]
  /// Columns of the picture from which those beyond its edges are taken.
  private let within: SampleRow
  private let kernel: WarpKernel

  /// For regions up to `width` columns wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ picture: IntermediatePicture,
    warps: [ResolvedWarp],
    width: Int
  ) throws(RasterError) {
    var memory = try ScratchMemory(rowCount: 4 + WarpKernel.scratchRowCount, samples: width + 33)
    self.picture = picture
    self.warps = warps
    let rows = memory.take(4)
    self.rows = [rows.row(0), rows.row(1), rows.row(2)]
    within = rows.row(3)
    kernel = WarpKernel(&memory)
    self.memory = memory
  }

  func produce(_ region: Region, into consumer: any RowConsumer) {
    for y in region.rows {
      for color in 0..<3 {
        read(color, y: y, columns: region.columns)
      }
      consumer.take(FullRow(rows: rows, y: y, columns: region.columns))
    }
  }

  /// One colour of a row, mirrored about the picture's edges.
  private func read(_ color: Int, y: Int, columns: Range<Int>) {
    let grid = picture.region
    let line = grid.top + Mirror.index(y - grid.top, count: grid.height)
    let inner = columns.clamped(to: grid.columns)
    guard inner != columns else {
      return read(color, line: line, columns: columns, into: rows[color])
    }
    func mirrored(_ x: Int) -> Int { grid.left + Mirror.index(x - grid.left, count: grid.width) }
    // Neighbours stay neighbours in a mirror, so that these are no more than are asked for.
    var first = grid.right
    var last = grid.left
    for x in columns {
      first = min(first, mirrored(x))
      last = max(last, mirrored(x))
    }
    read(color, line: line, columns: first..<(last + 1), into: within)
    for x in columns { rows[color][x - columns.lowerBound] = within[mirrored(x) - first] }
  }

  /// One colour of columns that the picture has, through the warps.
  private func read(_ color: Int, line: Int, columns: Range<Int>, into row: SampleRow) {
    if warps.allSatisfy({ $0.isIdentity(color) }) {
      picture.read(color, y: line, columns: columns, into: row)
    } else {
      kernel.resample(picture, color: color, y: line, columns: columns, warps: warps, into: row)
    }
  }
}
