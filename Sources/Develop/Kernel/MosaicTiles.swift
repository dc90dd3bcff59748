internal import Raster
internal import RawModel

/// One lane's tiles of linear samples, for stages that look at a mosaic's neighbours.
struct MosaicTiles: ~Copyable {
  private let plan: DevelopPlan
  private var memory: ScratchMemory
  private let buffers: [2 of SampleRow.Allocation]
  private let scratch: SampleRow.Allocation

  /// Tiles that give regions up to `width` and `height`.
  init(_ plan: DevelopPlan, width: Int, height: Int) throws(RasterError) {
    let rowCount = 2 * (height + 2 * plan.mosaicHalo)
    let scratchRowCount = plan.mosaicStages.reduce(0) { max($0, $1.scratchRowCount) }
    var memory = try ScratchMemory(
      rowCount: 2 * rowCount + scratchRowCount,
      samples: (width + 2 * plan.mosaicHalo + 17) / 2 + 1
    )
    buffers = [memory.take(rowCount), memory.take(rowCount)]
    scratch = memory.take(scratchRowCount)
    self.memory = memory
    self.plan = plan
  }

  /// The samples of a region after all stages; nil where no stage is needed, so that rows can be loaded
  /// one by one.
  mutating func load(
    _ region: Region,
    pattern: CFAPattern,
    samples: ActiveSamples,
    with loader: inout SampleLoader
  ) -> MosaicTile? {
    // What each stage's result must cover, last to first.
    let stages = plan.mosaicStages
    guard isAnyNeeded(stages, in: region) else { return nil }
    var current = region.grown(by: plan.mosaicHalo)
    var steps = plan.mosaicSteps[...]
    var lines: [any LineStage] = []
    if case .lines(let first)? = steps.first {
      lines = first
      steps.removeFirst()
    }
    var side = 0
    var tile = MosaicTile(
      region: current,
      rows: buffers[0],
      top: current.top,
      left: current.left
    )
    for y in current.rows {
      unsafe loader.loadMosaic(
        y,
        pattern: pattern,
        stages: lines,
        isBalanced: false,
        samples: samples,
        into: Self.target(tile, y)
      )
    }
    for step in steps {
      switch step {
      case .lines(let stages):
        for y in current.rows { loader.run(stages, y, on: Self.target(tile, y)) }
      case .mosaic(let stage):
        current = current.grown(by: -stage.halo)
        guard stage.isNeeded(in: current) else {
          tile = tile.cropped(to: current)
          continue
        }
        side = 1 - side
        let output = MosaicTile(
          region: current,
          rows: buffers[side],
          top: current.top,
          left: current.left
        )
        stage.apply(tile, into: output, scratch: scratch)
        tile = output
      }
    }
    return tile
  }

  private func isAnyNeeded(_ stages: [any MosaicStage], in region: Region) -> Bool {
    var halo = 0
    for stage in stages.reversed() {
      if stage.isNeeded(in: region.grown(by: halo)) { return true }
      halo += stage.halo
    }
    return false
  }

  private static func target(_ tile: MosaicTile, _ y: Int) -> SampleLoader.MosaicTarget {
    SampleLoader.MosaicTarget(
      even: tile.even(y),
      odd: tile.odd(y),
      origin: tile.region.left,
      count: tile.pairCount,
      end: tile.region.right
    )
  }
}
