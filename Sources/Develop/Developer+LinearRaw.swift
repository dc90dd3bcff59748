package import Raster
package import RawModel
internal import Recipe

extension Developer {
  /// The level of black in linear raws that `linearRaw` makes: room for the noise below it.
  private static let linearBlack = 2048

  /// A mosaic's active area demosaiced, in the camera's own colours, as a raw of 16 bits a sample.
  ///
  /// OpcodeLists 1 and 2 are applied, so that the new raw has none; OpcodeList3 is left to readers. White
  /// balance is undone after the demosaic, which needs it. What was clipped stays clipped.
  ///
  /// - Parameters:
  ///   - frame: The decoded mosaic.
  ///   - scheduler: The lanes that tiles run on; the samples don't depend on their number.
  /// - Returns: Three samples a pixel and their description.
  /// - Throws: What of the raw cannot be developed, or that memory was refused.
  package static func linearRaw(
    _ frame: borrowing RawFrame,
    scheduler: TileScheduler
  ) throws(DevelopError) -> RawFrame {
    let source = frame.description
    let settings = try DevelopSettings(resolving: .linearRaw, for: source)
    let plan = try DevelopPlan(source, settings: settings)
    do throws(RasterError) {
      if let changed = try changed(frame.samples, source, plan, scheduler) {
        return try linearRaw(changed, source, plan: plan, scheduler: scheduler)
      }
      return try linearRaw(frame.samples, source, plan: plan, scheduler: scheduler)
    } catch {
      throw .raster(error)
    }
  }

  private static func linearRaw(
    _ samples: borrowing StoredSamples,
    _ source: RawDescription,
    plan: DevelopPlan,
    scheduler: TileScheduler
  ) throws(RasterError) -> RawFrame {
    let kind = samples.kind
    return switch samples {
    case .uint16(let plane): try demosaiced(plane, kind, source, plan: plan, scheduler: scheduler)
    case .uint32(let plane): try demosaiced(plane, kind, source, plan: plan, scheduler: scheduler)
    case .float32(let plane): try demosaiced(plane, kind, source, plan: plan, scheduler: scheduler)
    }
  }

  private static func demosaiced<Sample>(
    _ stored: borrowing Plane<Sample>,
    _ kind: StoredSamples.Kind,
    _ source: RawDescription,
    plan: DevelopPlan,
    scheduler: TileScheduler
  ) throws(RasterError) -> RawFrame {
    let size = source.activeArea.size
    var planes = try Plane<UInt16>(width: 3 * size.width, height: size.height)
    let tile = PixelSize(
      width: min(defaultTileSize.width, size.width),
      height: min(defaultTileSize.height, size.height)
    )
    let grid = TileGrid(bounds: Region(size: size), tileSize: tile)
    let stride = stored.stride
    try unsafe stored.withUnsafeSamples { (samples) throws(RasterError) in
      let samples = unsafe ActiveSamples(frame: samples, kind: kind, stride: stride, plan: plan)
      try planes.withTileWriter { (writer) throws(RasterError) in
        try scheduler.forEachTile(
          of: grid,
          laneState: { () throws(RasterError) in
            try unsafe RawSource(plan, samples: samples, size: tile)
          },
          body: { (tile, lane) throws(RasterError) in
            let rows = LinearRawRows(
              writer: writer,
              gains: plan.linearization.gains,
              black: Float(linearBlack)
            )
            lane.produce(tile.region, into: rows)
          }
        )
      }
    }
    var description = source
    description.size = size
    description.layout = .linear(planes: 3)
    description.bitsPerSample = 16
    description.sampleFormat = .unsignedInteger
    description.linearizationTable = nil
    description.blackLevel = BlackLevel(Double(linearBlack), samplesPerPixel: 3)
    description.whiteLevel = [65_535, 65_535, 65_535]
    description.activeArea = Region(size: size)
    description.opcodeList1 = []
    description.opcodeList2 = []
    return RawFrame(samples: planes, description: description)
  }
}

extension DevelopAdjustments {
  /// Nothing that changes the samples beyond what the file asks for.
  fileprivate static var linearRaw: DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.demosaic = .menon
    // What was clipped stays so.
    adjustments.isHighlightRecoveryEnabled = false
    return adjustments
  }
}

/// Stores rows of balanced colours as codes from black to 65,535 without the balance.
private final class LinearRawRows: RowConsumer {
  private let writer: TileWriter<UInt16>
  private let scales: [Float]
  private let black: Float

  init(writer: TileWriter<UInt16>, gains: [Float], black: Float) {
    self.writer = writer
    self.black = black
    scales = gains.map { (65_535 - black) / $0 }
  }

  func begin(_ region: Region) {}

  func take(_ row: SplitRow) {
    store(row.y, row.columns) { color, x in
      let place = (x - row.origin) >> 1
      // The origin is even.
      return x & 1 == 0 ? row.even[color][place] : row.odd[color][place]
    }
  }

  func take(_ row: FullRow) {
    store(row.y, row.columns) { color, x in row.rows[color][x - row.columns.lowerBound] }
  }

  private func store(_ y: Int, _ columns: Range<Int>, _ sample: (Int, Int) -> Float) {
    writer.withRow(y, columns: 3 * columns.lowerBound..<3 * columns.upperBound) { target in
      for color in 0..<3 {
        let scale = scales[color]
        for x in columns {
          let value = sample(color, x) * scale + black
          // Opcodes can make anything of a sample; what is no number is black.
          let code = value > 0 ? min(value, 65_535).rounded() : 0
          target[3 * (x - columns.lowerBound) + color] = UInt16(code)
        }
      }
    }
  }
}
