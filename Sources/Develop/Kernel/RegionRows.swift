internal import Raster

/// One lane's tile of a picture, for stages that look at neighbours.
///
/// Rows come in from a source; pixel stages before the first region stage run on them at once.
final class RegionRows: RowConsumer {
  private let steps: [DevelopPass.PictureStep]
  private let memory: ScratchMemory
  private let buffers: [2 of [3 of SampleRow.Allocation]]
  private let scratch: RegionScratch
  private let pixels: PixelRows
  private let geometry: RegionGeometry
  private let halo: Int
  private let next: any RowConsumer
  private var tile: RegionTile

  /// For regions up to `size`, halo and all; the last pixel stages are the next consumer's.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ pass: DevelopPass,
    size: PixelSize,
    next: any RowConsumer
  ) throws(RasterError) {
    let planeCount = pass.regionStages.reduce(0) { max($0, $1.scratchPlaneCount) }
    let scratchRowCount = pass.pixelScratchRowCount
    var memory = try ScratchMemory(
      rowCount: (6 + planeCount) * size.height + scratchRowCount,
      samples: size.width + 2 * SampleRow.margin
    )
    func planes() -> [3 of SampleRow.Allocation] {
      [memory.take(size.height), memory.take(size.height), memory.take(size.height)]
    }
    let front = planes()
    buffers = [front, planes()]
    scratch = RegionScratch(
      planes: memory.take(planeCount * size.height),
      rowCount: size.height
    )
    let pixelScratch = memory.take(scratchRowCount)
    self.memory = memory
    self.next = next
    geometry = pass.geometry
    halo = pass.halo
    pixels = PixelRows(
      stages: pass.leadingPixels,
      geometry: pass.geometry,
      scratch: pixelScratch
    )
    var steps = pass.steps
    if case .pixels? = steps.first { steps.removeFirst() }
    // The last pixel stages run while the picture is written.
    if case .pixels? = steps.last { steps.removeLast() }
    self.steps = steps
    tile = RegionTile(
      region: Region(left: 0, top: 0, width: 0, height: 0),
      geometry: pass.geometry,
      planes: front,
      top: 0,
      left: 0
    )
  }

  func begin(_ region: Region) {
    tile = RegionTile(
      region: region,
      geometry: geometry,
      planes: buffers[0],
      top: region.top,
      left: region.left
    )
  }

  func take(_ row: SplitRow) {
    pixels.run(row)
    for color in 0..<3 {
      // -1 where the region begins at an odd column; the margin takes it.
      row.interleave(color, into: tile.row(color, row.y), shift: row.origin - tile.region.left)
    }
    finish(row.y)
  }

  func take(_ row: FullRow) {
    pixels.run(row.rows, y: row.y, columns: row.columns)
    for color in 0..<3 {
      let target = tile.row(color, row.y)
      let source = row.rows[color]
      for i in stride(from: 0, to: row.columns.count, by: 8) {
        target[lanes: i] = source[lanes: i]
      }
    }
    finish(row.y)
  }

  /// Runs the stages after the last row and hands the rows of the tile on.
  private func finish(_ y: Int) {
    guard y == tile.region.bottom - 1 else { return }
    let region = tile.region.grown(by: -halo)
    var side = 0
    for step in steps {
      switch step {
      case .pixels(let stages):
        for y in tile.region.rows {
          let row = PixelRow(
            rows: tile.rows(y),
            range: 0..<tile.region.width,
            place: tile.place(y),
            scratch: pixels.scratch
          )
          for stage in stages { stage.apply(row) }
        }
      case .region(let stage):
        side = 1 - side
        let inner = tile.region.grown(by: -stage.halo)
        let output = RegionTile(
          region: inner,
          geometry: tile.geometry,
          planes: buffers[side],
          top: inner.top,
          left: inner.left
        )
        stage.apply(tile, into: output, scratch: scratch)
        tile = output
      }
    }
    next.begin(region)
    for y in region.rows {
      next.take(FullRow(rows: tile.rows(y), y: y, columns: region.columns))
    }
  }
}
