internal import JPEGXLCodec
internal import Raster
internal import RawModel

/// Codes tiles as JPEG XL (DNG 1.7.1, "Compression" 52546).
struct JPEGXLTilesCoding {
  /// As stored.
  let bits: Int
  /// Butteraugli distance; nil is lossless.
  let distance: Float?
  let tiling: DNGTiling
  /// Whether the samples come in the four fields of a mosaic.
  let isSplit: Bool
  private let layout: SampleLayout

  /// Lossless coding gains little above this, and takes five times as long.
  private static let losslessEffort = 1
  private static let lossyEffort = 5
  /// Sides of a tile of at most this many pixels give every lane work, and the library whole groups.
  private static let longestSide = 1024

  /// JXLEffort (52554).
  var effort: Int { distance == nil ? Self.losslessEffort : Self.lossyEffort }

  /// - Parameters:
  ///   - description: Of the samples.
  ///   - quality: 1 is lossless.
  init(_ description: RawDescription, quality: Double) {
    layout = description.layout
    // libjxl's distances for its qualities from 30 to 100; 0 gives 9.1.
    distance = quality < 1 ? Float(0.1 + (1 - quality) * 9) : nil
    // What all readers take as it is: of other depths some stretch the samples.
    bits = description.bitsPerSample <= 8 ? 8 : 16
    let size = description.size
    let hasCells =
      switch layout {
      case .mosaic: true
      case .array(let array): array.hasCells
      case .linear: false
      }
    isSplit = hasCells && size.width > 1 && size.height > 1
    let fields = isSplit ? 2 : 1
    // A field's border is a jump in the picture: tiles end there, where the size allows it.
    tiling = DNGTiling(
      frame: size,
      freeTileSize: PixelSize(
        width: Self.side(size.width, fields: fields),
        height: Self.side(size.height, fields: fields)
      )
    )
  }

  private static func side(_ length: Int, fields: Int) -> Int {
    let field = max(1, (length + fields - 1) / fields)
    let parts = (field + longestSide - 1) / longestSide
    // Even parts, if the field has them.
    for count in parts..<4 * parts where field % count == 0 { return field / count }
    return (field + parts - 1) / parts
  }

  /// Codes all tiles.
  func encode(
    _ samples: borrowing Plane<UInt16>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [[UInt8]] {
    guard isSplit else {
      return try encodeTiles(samples, scheduler: scheduler)
    }
    let fields: Plane<UInt16>
    do {
      fields = try Self.split(samples)
    } catch {
      throw .memory(error)
    }
    return try encodeTiles(fields, scheduler: scheduler)
  }

  /// The four fields of a mosaic, even rows before odd ones and even columns before odd ones (DNG 1.7.1,
  /// "RowInterleaveFactor", "ColumnInterleaveFactor").
  private static func split(
    _ samples: borrowing Plane<UInt16>
  ) throws(RasterError) -> Plane<UInt16> {
    var fields = try Plane<UInt16>(width: samples.width, height: samples.height)
    let rows = (samples.height + 1) / 2
    let columns = (samples.width + 1) / 2
    for y in 0..<samples.height {
      samples.withRow(y) { row in
        fields.withMutableRow(y % 2 == 0 ? y / 2 : rows + y / 2) { target in
          for x in 0..<columns { target[x] = row[2 * x] }
          for x in columns..<row.count { target[x] = row[2 * (x - columns) + 1] }
        }
      }
    }
    return fields
  }

  private func encodeTiles(
    _ samples: borrowing Plane<UInt16>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [[UInt8]] {
    let planes = layout.samplesPerPixel
    // Within a field neighbours have one colour.
    return try TileGathering.segments(
      of: samples,
      .linear(planes: planes),
      tiling,
      scheduler: scheduler
    ) { (tile, region) throws(DNGWritingError) in
      do throws(JPEGXLError) {
        return try JPEGXLEncoder.encode(
          tile.span,
          size: region.size,
          channels: planes,
          bits: bits,
          distance: distance,
          effort: effort
        )
      } catch {
        throw .jpegXL(error)
      }
    }
  }
}
