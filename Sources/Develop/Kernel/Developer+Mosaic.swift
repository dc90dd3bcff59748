package import Raster
package import RawModel

extension Developer {
  /// The linear, balanced mosaic as the demosaic sees it: after opcode lists 1 and 2, despeckling and
  /// highlight recovery.
  ///
  /// - Returns: One sample for each pixel of the active area; nil for raws that are no mosaic.
  /// - Throws: What of the raw cannot be developed, or that memory was refused.
  package static func mosaic(
    of frame: borrowing RawFrame,
    settings: DevelopSettings,
    tileSize: PixelSize = PixelSize(width: 512, height: 512)
  ) throws(DevelopError) -> Plane<Float>? {
    guard case .mosaic(let pattern) = frame.description.layout else { return nil }
    let plan = try DevelopPlan(frame.description, settings: settings)
    let kind = frame.samples.kind
    return switch frame.samples {
    case .uint16(let samples): try mosaic(samples, kind, plan, pattern, tileSize)
    case .uint32(let samples): try mosaic(samples, kind, plan, pattern, tileSize)
    case .float32(let samples): try mosaic(samples, kind, plan, pattern, tileSize)
    }
  }

  private static func mosaic<Sample>(
    _ stored: borrowing Plane<Sample>,
    _ kind: StoredSamples.Kind,
    _ plan: DevelopPlan,
    _ pattern: CFAPattern,
    _ tileSize: PixelSize
  ) throws(DevelopError) -> Plane<Float>? {
    let stride = stored.stride
    var result: Plane<Float>?
    do throws(RasterError) {
      try unsafe stored.withUnsafeSamples { (samples) throws(RasterError) in
        let active = unsafe ActiveSamples(frame: samples, kind: kind, stride: stride, plan: plan)
        result = try unsafe mosaic(active, plan: plan, pattern: pattern, tileSize: tileSize)
      }
    } catch {
      throw .raster(error)
    }
    return result.take()
  }

  private static func mosaic(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    pattern: CFAPattern,
    tileSize: PixelSize
  ) throws(RasterError) -> Plane<Float> {
    var plan = plan
    if plan.readsHighlights {
      plan = plan.prepared(
        with: try unsafe Highlights.of(
          samples,
          plan: plan,
          scheduler: TileScheduler(laneCount: 1)
        )
      )
    }
    let size = plan.geometry.activeArea.size
    var result = try Plane<Float>(width: size.width, height: size.height)
    let columns = tileSize.width + 17
    var memory = try ScratchMemory(rowCount: SampleLoader.scratchRowCount + 2, samples: columns)
    var loader = try SampleLoader(plan, columns: columns + 2 * plan.mosaicHalo, &memory)
    let halves = memory.take(2)
    var tiles = try MosaicTiles(plan, width: columns, height: tileSize.height)
    let grid = TileGrid(bounds: Region(size: size), tileSize: tileSize)
    for index in 0..<grid.count {
      let region = grid[index].region
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
        let colors = SampleLoader.colors(pattern, y)
        let gains = plan.linearization.gains
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
        result.withMutableRow(y) { row in
          for x in region.columns {
            let half = x & 1 == 0 ? even : odd
            row[x] = half[(x - left) >> 1] * gains[x & 1 == 0 ? colors.0 : colors.1]
          }
        }
      }
    }
    return result
  }
}
