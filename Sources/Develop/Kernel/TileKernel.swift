internal import Raster

/// One lane of a pass: its source of rows and the consumers that they run through.
struct TileKernel: ~Copyable {
  private let pass: DevelopPass
  private let source: any RowSource
  private let first: any RowConsumer

  /// A kernel for tiles up to `size`.
  ///
  /// - Parameters:
  ///   - pass: What is run.
  ///   - size: Of the largest tile.
  ///   - source: Makes the source, given the size of the largest region that it is asked for.
  ///   - end: Takes the pass's rows.
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ pass: DevelopPass,
    size: PixelSize,
    source: (PixelSize) throws(RasterError) -> any RowSource,
    end: any RowConsumer
  ) throws(RasterError) {
    let grown = PixelSize(width: size.width + 2 * pass.halo, height: size.height + 2 * pass.halo)
    var first = end
    if !pass.regionStages.isEmpty { first = try RegionRows(pass, size: grown, next: first) }
    let input = pass.inputSize(ofTiles: size)
    if let scale = pass.scale {
      first = try ScaledRows(
        pass.pixels,
        geometry: pass.sourceGeometry,
        columns: scale.columns,
        lines: scale.lines,
        width: grown.width,
        inputWidth: input.width,
        next: first
      )
    }
    self.source = try source(input)
    self.first = first
    self.pass = pass
  }

  /// Runs one tile, given in pixels of the pass.
  func run(_ tile: Region) {
    let region = tile.grown(by: pass.halo)
    first.begin(region)
    source.produce(pass.input(of: region), into: first)
  }
}
