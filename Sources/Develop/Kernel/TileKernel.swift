internal import Raster

/// One lane's kernel: develops tiles, one after another, in its own scratch.
struct TileKernel: ~Copyable {
  private let halo: Int
  private var source: RawSource
  private var direct: FusedRows
  private var regions: RegionRows?

  /// A kernel for tiles up to `size`.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  @unsafe
  init(
    _ plan: DevelopPlan,
    size: PixelSize,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) throws(RasterError) {
    let halo = plan.pictureHalo
    let grown = PixelSize(width: size.width + 2 * halo, height: size.height + 2 * halo)
    let source = try RawSource(plan, size: grown)
    let direct = try unsafe FusedRows(plan, width: size.width, writer: writer, tables: tables)
    let regions = plan.regionStages.isEmpty ? nil : try RegionRows(plan, size: grown)
    self.halo = halo
    self.source = source
    self.direct = direct
    self.regions = regions
  }

  /// Develops one tile, given in pixels of the active area.
  mutating func develop(_ tile: Region, samples: ActiveSamples) {
    if regions != nil {
      let grown = tile.grown(by: halo)
      regions?.begin(grown)
      // Present, as just seen.
      guard var rows = regions.take() else { return }
      unsafe source.produce(grown, samples: samples, into: &rows)
      rows.finish(tile, into: &direct)
      regions = consume rows
    } else {
      unsafe source.produce(tile, samples: samples, into: &direct)
    }
  }
}
