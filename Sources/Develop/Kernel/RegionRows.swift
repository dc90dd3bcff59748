internal import Raster

/// One lane's tile of a picture, for stages that look at neighbours.
///
/// Rows come in from a source; pixel stages before the first region stage run on them at once.
struct RegionRows: RowConsumer, ~Copyable {
  private let steps: [DevelopPlan.PictureStep]
  private var memory: ScratchMemory
  private let buffers: [2 of [3 of SampleRow.Allocation]]
  private let scratch: RegionScratch
  private let pixelScratch: SampleRow.Allocation
  private let first: [any PixelStage]
  private var tile: RegionTile

  /// For regions up to `size`.
  init(_ plan: DevelopPlan, size: PixelSize) throws(RasterError) {
    let planeCount = plan.regionStages.reduce(0) { max($0, $1.scratchPlaneCount) }
    let scratchRowCount = plan.pixelScratchRowCount
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
    pixelScratch = memory.take(scratchRowCount)
    self.memory = memory
    var steps = plan.pictureSteps
    if case .pixels(let stages)? = steps.first {
      first = stages
      steps.removeFirst()
    } else {
      first = []
    }
    // The last pixel stages run while the picture is written.
    if case .pixels? = steps.last { steps.removeLast() }
    self.steps = steps
    tile = RegionTile(
      region: Region(left: 0, top: 0, width: 0, height: 0),
      geometry: .identity,
      planes: front,
      top: 0,
      left: 0
    )
  }

  /// Begins a tile with what its stages need around it.
  mutating func begin(_ region: Region) {
    tile = RegionTile(
      region: region,
      geometry: .identity,
      planes: buffers[0],
      top: region.top,
      left: region.left
    )
  }

  mutating func take(_ row: SplitRow) {
    let range = row.pairs
    let y = Double(row.y)
    for (rows, x) in [(row.even, row.origin), (row.odd, row.origin + 1)] {
      let pixels = PixelRow(
        rows: rows,
        range: range,
        place: RowPlace(y: y, x: Double(x), step: 2),
        scratch: pixelScratch
      )
      for stage in first { stage.apply(pixels) }
    }
    for color in 0..<3 {
      let target = tile.row(color, row.y)
      // -1 where the region begins at an odd column; the margin takes it.
      let shift = row.origin - tile.region.left
      for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let even = row.even[color][lanes: i]
        let odd = row.odd[color][lanes: i]
        var low = Lanes()
        low.evenHalf = even.lowHalf
        low.oddHalf = odd.lowHalf
        var high = Lanes()
        high.evenHalf = even.highHalf
        high.oddHalf = odd.highHalf
        target[lanes: 2 * i + shift] = low
        target[lanes: 2 * i + shift + 8] = high
      }
    }
  }

  /// Runs the stages and hands the rows of `region` on.
  mutating func finish(_ region: Region, into rows: inout FusedRows) {
    var side = 0
    for step in steps {
      switch step {
      case .pixels(let stages):
        for y in tile.region.rows {
          let row = PixelRow(
            rows: tile.rows(y),
            range: 0..<tile.region.width,
            place: tile.place(y),
            scratch: pixelScratch
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
    for y in region.rows {
      rows.take(tile.rows(y), y: y, columns: region.columns, place: tile.place(y))
    }
  }
}
