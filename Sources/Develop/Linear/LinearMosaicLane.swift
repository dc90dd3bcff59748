internal import Raster
internal import RawModel

/// One lane's loader of a mosaic's linear samples, without demosaic.
// @unsafe in `init`: the samples outlive it; see `ActiveSamples`.
@safe
struct LinearMosaicLane: ~Copyable {
  private let plan: DevelopPlan
  private let samples: ActiveSamples
  private let pattern: CFAPattern
  private let gains: [Float]
  private var memory: ScratchMemory
  private var loader: SampleLoader
  private let halves: SampleRow.Allocation
  private var tiles: MosaicTiles

  /// - Parameters:
  ///   - plan: Of the development.
  ///   - samples: The stored samples.
  ///   - pattern: Of the filters.
  ///   - isBalanced: Whether samples are divided by the camera's neutral.
  ///   - size: Of the largest region.
  /// - Throws: `RasterError` where scratch memory was refused.
  @unsafe
  init(
    _ plan: DevelopPlan,
    samples: ActiveSamples,
    pattern: CFAPattern,
    isBalanced: Bool,
    size: PixelSize
  ) throws(RasterError) {
    let columns = size.width + 17
    var memory = try ScratchMemory(rowCount: SampleLoader.scratchRowCount + 2, samples: columns)
    let loader = try SampleLoader(plan, columns: columns + 2 * plan.mosaicHalo, &memory)
    let tiles = try MosaicTiles(plan, width: columns, height: size.height)
    halves = memory.take(2)
    gains = isBalanced ? plan.linearization.gains : [1, 1, 1]
    self.plan = plan
    unsafe self.samples = samples
    self.pattern = pattern
    self.memory = memory
    self.loader = loader
    self.tiles = tiles
  }

  /// Gives each sample of a region of the active area, row by row.
  mutating func load(_ region: Region, _ store: (_ x: Int, _ y: Int, _ value: Float) -> Void) {
    // Tiles begin at even columns.
    let left = region.left & ~1
    let wide = Region(
      left: left,
      top: region.top,
      width: region.right - left,
      height: region.height
    )
    let tile = unsafe tiles.load(wide, pattern: pattern, samples: samples, with: &loader)
    for y in region.rows {
      let even = tile?.even(y) ?? halves.row(0)
      let odd = tile?.odd(y) ?? halves.row(1)
      if tile == nil {
        unsafe loader.loadMosaic(
          y,
          pattern: pattern,
          stages: plan.lineStages,
          isBalanced: false,
          samples: samples,
          into: SampleLoader.MosaicTarget(
            even: even,
            odd: odd,
            origin: left,
            count: (wide.width + 1) / 2,
            end: region.right
          )
        )
      }
      let colors = SampleLoader.colors(pattern, y)
      let (evenGain, oddGain) = (gains[colors.0], gains[colors.1])
      for x in region.columns {
        let place = (x - left) >> 1
        store(x, y, x & 1 == 0 ? even[place] * evenGain : odd[place] * oddGain)
      }
    }
  }
}
