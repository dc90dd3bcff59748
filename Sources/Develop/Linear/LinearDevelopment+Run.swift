internal import Raster
internal import RawModel

extension LinearDevelopment {
  /// One making of the picture.
  struct Run {
    let development: LinearDevelopment
    let rowCount: Int
    let scheduler: TileScheduler
    let tileSize: PixelSize

    private var channelCount: Int { development.channels.count }
    private var size: PixelSize { development.size }

    func forEachBand<Failure: Error>(
      of samples: borrowing StoredSamples,
      _ body: (borrowing Plane<Float>, Range<Int>) throws(Failure) -> Void
    ) throws(LinearBandError<Failure>) {
      let kind = samples.kind
      switch samples {
      case .uint16(let plane): try forEachBand(of: plane, kind, body)
      case .uint32(let plane): try forEachBand(of: plane, kind, body)
      case .float32(let plane): try forEachBand(of: plane, kind, body)
      }
    }

    private func forEachBand<Sample, Failure: Error>(
      of stored: borrowing Plane<Sample>,
      _ kind: StoredSamples.Kind,
      _ body: (borrowing Plane<Float>, Range<Int>) throws(Failure) -> Void
    ) throws(LinearBandError<Failure>) {
      let stride = stored.stride
      try unsafe stored.withUnsafeSamples { (samples) throws(LinearBandError<Failure>) in
        let active = unsafe ActiveSamples(
          frame: samples,
          kind: kind,
          stride: stride,
          plan: development.plan
        )
        let maker: BandMaker
        do throws(RasterError) {
          maker = try unsafe self.maker(active)
        } catch {
          throw .develop(.raster(error))
        }
        for top in Swift.stride(from: 0, to: size.height, by: rowCount) {
          let rows = top..<min(top + rowCount, size.height)
          let band: Plane<Float>
          do throws(RasterError) {
            band = try unsafe make(rows, of: active, by: maker)
          } catch {
            throw .develop(.raster(error))
          }
          do throws(Failure) {
            try body(band, rows)
          } catch {
            throw .body(error)
          }
        }
      }
    }

    /// What bands are made from.
    private enum BandMaker {
      /// Samples as they are stored.
      case codes
      case mosaic(CFAPattern)
      /// The plan, whose stages have seen the whole picture, and the picture of its first passes.
      case picture(DevelopPlan, IntermediatePicture?)
    }

    @unsafe
    private func maker(_ samples: ActiveSamples) throws(RasterError) -> BandMaker {
      if development.level.isCodes { return .codes }
      if case .mosaic(let pattern) = development.description.layout,
        development.level.layout != .demosaiced
      {
        return .mosaic(pattern)
      }
      let plan = try unsafe Developer.prepared(development.plan, samples, scheduler)
      return .picture(
        plan,
        try unsafe Developer.intermediate(samples, plan: plan, scheduler, tileSize: tileSize)
      )
    }

    @unsafe
    private func make(
      _ rows: Range<Int>,
      of samples: ActiveSamples,
      by maker: BandMaker
    ) throws(RasterError) -> Plane<Float> {
      var band = try Plane<Float>(width: channelCount * size.width, height: rows.count)
      switch maker {
      case .codes: unsafe makeCodes(rows, of: samples, into: &band)
      case .mosaic(let pattern): try unsafe makeMosaic(rows, of: samples, pattern, into: &band)
      case .picture(let plan, let intermediate):
        try unsafe makePicture(rows, of: samples, plan, intermediate, into: &band)
      }
      return band
    }

    // MARK: Demosaiced

    @unsafe
    private func makePicture(
      _ rows: Range<Int>,
      of samples: ActiveSamples,
      _ plan: DevelopPlan,
      _ intermediate: IntermediatePicture?,
      into band: inout Plane<Float>
    ) throws(RasterError) {
      guard var pass = plan.passes.last else { preconditionFailure("a plan has a pass") }
      pass.output = plan.geometry.source(of: rows)
      let count = channelCount
      try band.withTileWriter { (writer) throws(RasterError) in
        try unsafe Developer.run(pass, plan, samples, intermediate, scheduler, tileSize) {
          (width) throws(RasterError) in
          try LinearPictureRows(
            pass.trailingPixels,
            geometry: pass.geometry,
            picture: plan.geometry,
            width: width,
            channelCount: count,
            top: rows.lowerBound,
            writer: writer
          )
        }
      }
    }

    // MARK: As the filters lie

    @unsafe
    private func makeMosaic(
      _ rows: Range<Int>,
      of samples: ActiveSamples,
      _ pattern: CFAPattern,
      into band: inout Plane<Float>
    ) throws(RasterError) {
      let isBalanced =
        if case .samples(isBalanced: true, _) = development.level { true } else { false }
      let region = region(of: rows)
      let place = place(top: region.top)
      let grid = TileGrid(bounds: region, tileSize: tileSize)
      let plan = development.plan
      try band.withTileWriter { (writer) throws(RasterError) in
        try scheduler.forEachTile(
          of: grid,
          laneState: { () throws(RasterError) in
            try unsafe LinearMosaicLane(
              plan,
              samples: samples,
              pattern: pattern,
              isBalanced: isBalanced,
              size: tileSize
            )
          },
          body: { (tile, lane) throws(RasterError) in
            lane.load(tile.region) { x, y, value in
              let (column, row) = place.sample(x, y)
              // A sample of this tile alone, within the band by `place`.
              unsafe writer.pointer(x: column, y: row).pointee = value
            }
          }
        )
      }
    }

    /// The pixels of the active area of which rows of the picture are made.
    private func region(of rows: Range<Int>) -> Region {
      let cell = development.level.layout == .planes ? 2 : 1
      return Region(
        left: development.area.left,
        top: development.area.top + cell * rows.lowerBound,
        width: cell * size.width,
        height: cell * rows.count
      )
    }

    private func place(top: Int) -> SamplePlace {
      SamplePlace(
        left: development.area.left,
        top: top,
        isSplit: development.level.layout == .planes
      )
    }

    // MARK: Codes

    @unsafe
    private func makeCodes(
      _ rows: Range<Int>,
      of samples: ActiveSamples,
      into band: inout Plane<Float>
    ) {
      let region = region(of: rows)
      let lines = TileGrid(
        bounds: region,
        tileSize: PixelSize(width: region.width, height: 2 * Self.lineCount)
      )
      let table = linearizationTable
      band.withTileWriter { writer in
        scheduler.forEachTile(of: lines, laneState: {}) { tile, _ in
          for y in tile.region.rows {
            switch unsafe samples.kind {
            case .uint16:
              unsafe copy(y, of: region, samples, writer) { (code: UInt16) in
                Float(linear(code, table))
              }
            case .uint32:
              unsafe copy(y, of: region, samples, writer) { (code: UInt32) in Float(code) }
            case .float32:
              unsafe copy(y, of: region, samples, writer) { (value: Float) in value }
            }
          }
        }
      }
    }

    /// Pairs of rows that a lane takes at a time.
    private static let lineCount = 16

    /// Stores one row of the active area, converted.
    @unsafe
    @inline(__always)
    private func copy<Sample>(
      _ y: Int,
      of region: Region,
      _ samples: ActiveSamples,
      _ writer: TileWriter<Float>,
      _ convert: (Sample) -> Float
    ) {
      let perPixel = development.description.layout.samplesPerPixel
      let place = place(top: region.top)
      let (column, row) = place.sample(region.left, y)
      // Pixels of a plane are four samples apart, of which this row has two.
      let isSplit = development.level.layout == .planes
      let source = unsafe samples.pointer(Sample.self, row: y, index: region.left * perPixel)
      let target = unsafe writer.pointer(x: column * perPixel, y: row)
      for index in 0..<region.width * perPixel {
        let offset = isSplit ? 4 * (index >> 1) + (index & 1) : index
        unsafe target[offset] = convert(source[index])
      }
    }

    private var linearizationTable: [UInt16]? {
      guard case .codes(isLinearized: true, _) = development.level else { return nil }
      return development.description.linearizationTable
    }

    /// A code through the table, past whose end the last entry counts.
    private func linear(_ code: UInt16, _ table: [UInt16]?) -> UInt16 {
      guard let table, let last = table.last else { return code }
      return Int(code) < table.count ? table[Int(code)] : last
    }
  }
}

/// Where a sample of the active area lies in a band.
private struct SamplePlace {
  let left: Int
  let top: Int
  /// Whether cells are split into planes.
  let isSplit: Bool

  @inline(__always)
  func sample(_ x: Int, _ y: Int) -> (column: Int, row: Int) {
    let (u, v) = (x - left, y - top)
    guard isSplit else { return (u, v) }
    return (4 * (u >> 1) + 2 * (v & 1) + (u & 1), v >> 1)
  }
}
