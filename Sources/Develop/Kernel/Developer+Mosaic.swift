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
    var lane = try unsafe LinearMosaicLane(
      plan,
      samples: samples,
      pattern: pattern,
      isBalanced: true,
      size: tileSize
    )
    let grid = TileGrid(bounds: Region(size: size), tileSize: tileSize)
    for index in 0..<grid.count {
      lane.load(grid[index].region) { x, y, value in
        result.withMutableRow(y) { row in row[x] = value }
      }
    }
    return result
  }
}
