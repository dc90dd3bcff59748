internal import Raster

/// Runs a region stage by itself over whole planes, whose edges are mirrored, tile by tile.
enum RegionRunner {
  static func run(
    _ stage: some RegionStage,
    on planes: borrowing RGBPlanes,
    tileSize: PixelSize
  ) throws(RasterError) -> RGBPlanes {
    let size = PixelSize(width: planes.green.width, height: planes.green.height)
    var result = try RGBPlanes(size: size)
    guard size.width > 0, size.height > 0 else { return result }
    let tile = PixelSize(
      width: min(max(tileSize.width, 1), size.width),
      height: min(max(tileSize.height, 1), size.height)
    )
    let full = PixelSize(width: tile.width + 2 * stage.halo, height: tile.height + 2 * stage.halo)
    var memory = try ScratchMemory(
      rowCount: (6 + stage.scratchPlaneCount) * full.height,
      samples: full.width + 2 * SampleRow.margin
    )
    func take() -> [3 of SampleRow.Allocation] {
      [memory.take(full.height), memory.take(full.height), memory.take(full.height)]
    }
    let source = take()
    let target = take()
    let scratch = RegionScratch(
      planes: memory.take(stage.scratchPlaneCount * full.height),
      rowCount: full.height
    )
    let grid = TileGrid(bounds: Region(size: size), tileSize: tile)
    for index in 0..<grid.count {
      let region = grid[index].region
      let wide = region.grown(by: stage.halo)
      let input = RegionTile(
        region: wide,
        geometry: .full,
        planes: source,
        top: wide.top,
        left: wide.left
      )
      load(planes.red, 0, into: input)
      load(planes.green, 1, into: input)
      load(planes.blue, 2, into: input)
      let output = RegionTile(
        region: region,
        geometry: .full,
        planes: target,
        top: region.top,
        left: region.left
      )
      stage.apply(input, into: output, scratch: scratch)
      store(output, 0, into: &result.red)
      store(output, 1, into: &result.green)
      store(output, 2, into: &result.blue)
    }
    return result
  }

  private static func load(_ plane: borrowing Plane<Float>, _ color: Int, into tile: RegionTile) {
    let width = plane.width
    for y in tile.region.rows {
      let row = tile.row(color, y)
      plane.withRow(Mirror.index(y, count: plane.height)) { samples in
        for x in tile.region.columns {
          row[x - tile.region.left] = samples[Mirror.index(x, count: width)]
        }
      }
    }
  }

  private static func store(_ tile: RegionTile, _ color: Int, into plane: inout Plane<Float>) {
    for y in tile.region.rows {
      let row = tile.row(color, y)
      plane.withMutableRow(y) { samples in
        for x in tile.region.columns { samples[x] = row[x - tile.region.left] }
      }
    }
  }
}
