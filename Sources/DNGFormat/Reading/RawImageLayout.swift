internal import Raster
internal import RawModel
internal import TIFFContainer

/// Where the samples of the raw image stand in the file, checked: every strip or tile lies within
/// the file, none is missing, none overlaps another.
struct RawImageLayout {
  let size: PixelSize
  private(set) var samplesPerPixel: Int
  let bitsPerSample: Int
  let sampleFormat: SampleFormat
  let byteOrder: TIFFByteOrder
  let compression: DNGCompression
  let predictor: DNGPredictor
  /// Tables that the tiles of lossy JPEG share (JPEGTables, 347).
  let jpegTables: [UInt8]?
  let order: SampleOrder
  /// The stored picture, in tiles; a strip counts as a tile of the picture's width.
  ///
  /// Where tiles are made of blocks, it is the tiles' whole area.
  let grid: TileGrid
  let isTiled: Bool
  /// Bytes of each tile in the file; of planes apart first all of the first plane.
  private(set) var ranges: [Range<Int>]
  /// Whether each sample of a pixel has tiles of its own (PlanarConfiguration 2).
  private(set) var isPlanar: Bool

  /// - Throws: `container`, `inconsistentTag`, `tooLarge`, `stripsAndTiles`, `tileOutsideFile`,
  ///   `tileMissing`, `tilesOverlap`.
  init(_ file: DNGFile, limits: DNGReadLimits) throws(DNGReadError) {
    let raw = file.raw
    let sizeRange = 1...Int(UInt32.max)
    size = PixelSize(
      width: try raw.requiredInteger(.imageWidth, in: sizeRange),
      height: try raw.requiredInteger(.imageLength, in: sizeRange)
    )
    let image = file.images[file.rawIndex]
    samplesPerPixel = image.samplesPerPixel
    guard
      image.bitsPerSample.count == samplesPerPixel,
      let bits = image.bitsPerSample.first, image.bitsPerSample.allSatisfy({ $0 == bits })
    else {
      throw raw.inconsistent(
        .bitsPerSample,
        "must be the same number for each of the \(samplesPerPixel) samples"
      )
    }
    bitsPerSample = bits
    guard let format = SampleFormat(rawValue: image.sampleFormat) else {
      throw .unsupported(.sampleFormat(image.sampleFormat))
    }
    sampleFormat = format
    byteOrder = file.tiff.byteOrder
    // The JPEGs have their own prediction; elsewhere unknown ones are refused as unsupported.
    predictor = DNGPredictor(tag: image.predictor ?? 1) ?? .none
    // The tables of all classes and numbers take 2 KB at the most.
    jpegTables = try raw.bytes(.jpegTables, limit: 65_536)
    compression = DNGCompression(rawValue: try raw.requiredInteger(.compression))
    // Both factors are below 2^32, their product is below 2^64; the limits are far below.
    guard size.width.multipliedReportingOverflow(by: size.height).overflow == false,
      size.pixelCount <= limits.pixels
    else {
      throw .tooLarge(
        "pixels",
        value: size.width.multipliedOrMax(size.height),
        limit: limits.pixels
      )
    }
    let sampleBytes = format == .floatingPoint || bits > 16 ? 4 : 2
    let decodedBytes = size.pixelCount.multipliedOrMax(samplesPerPixel * sampleBytes)
    guard decodedBytes <= limits.decodedBytes else {
      throw .tooLarge(
        "bytes of decoded samples",
        value: decodedBytes,
        limit: limits.decodedBytes
      )
    }

    let hasStrips = raw.has(.stripOffsets)
    isTiled = raw.has(.tileOffsets)
    guard hasStrips != isTiled else { throw .stripsAndTiles(both: hasStrips) }
    let tileSize: PixelSize
    if isTiled {
      tileSize = PixelSize(
        width: try raw.requiredInteger(.tileWidth, in: sizeRange),
        height: try raw.requiredInteger(.tileLength, in: sizeRange)
      )
    } else {
      // TIFF 6.0: the default is one strip.
      let rows = try raw.integer(.rowsPerStrip, in: sizeRange) ?? size.height
      tileSize = PixelSize(width: size.width, height: min(rows, size.height))
    }
    let tilePixels = tileSize.width.multipliedOrMax(tileSize.height)
    guard tilePixels <= limits.pixels else {
      throw .tooLarge("pixels in a tile", value: tilePixels, limit: limits.pixels)
    }
    order = try SampleOrder(raw, size: size, tileSize: tileSize)
    let cover = TileGrid(bounds: Region(size: size), tileSize: tileSize)
    if order.hasBlocks {
      // Both are below the limit of pixels in a tile more than the picture each way.
      let whole = PixelSize(
        width: cover.columnCount.multipliedOrMax(tileSize.width),
        height: isTiled ? cover.rowCount.multipliedOrMax(tileSize.height) : size.height
      )
      let pixels = whole.width.multipliedOrMax(whole.height)
      guard pixels <= limits.pixels else {
        throw .tooLarge("pixels in its tiles", value: pixels, limit: limits.pixels)
      }
      grid = TileGrid(bounds: Region(size: whole), tileSize: tileSize)
    } else {
      grid = cover
    }
    isPlanar = try raw.integer(.planarConfiguration, in: 1...2) == 2 && samplesPerPixel > 1
    let count = grid.count.multipliedOrMax(isPlanar ? samplesPerPixel : 1)
    ranges = try Self.ranges(file, raw, isTiled: isTiled, count: count)
  }

  /// One plane of an image whose planes stand apart, as an image of its own.
  func plane(_ index: Int) -> RawImageLayout {
    var plane = self
    plane.samplesPerPixel = 1
    plane.isPlanar = false
    plane.ranges = Array(ranges[index * grid.count..<(index + 1) * grid.count])
    return plane
  }

  /// The type that holds a sample in memory.
  var kind: StoredSamples.Kind {
    if sampleFormat == .floatingPoint { return .float32 }
    return bitsPerSample <= 16 ? .uint16 : .uint32
  }

  /// Bytes of a tile's row of samples that are not compressed; rows start on a byte (DNG 1.7.1,
  /// "BitsPerSample").
  func rowByteCount(ofTile index: Int) -> Int {
    (codedSize(ofTile: index).width * samplesPerPixel * bitsPerSample + 7) / 8
  }

  /// The pixels that a tile codes: tiles are coded whole, the last strip ends with the picture.
  func codedSize(ofTile index: Int) -> PixelSize {
    isTiled ? grid.tileSize : grid[index].region.size
  }

  private static func ranges(
    _ file: DNGFile,
    _ raw: DNGDirectory,
    isTiled: Bool,
    count: Int
  ) throws(DNGReadError) -> [Range<Int>] {
    let offsetTag: TIFFTag = isTiled ? .tileOffsets : .stripOffsets
    let byteCountTag: TIFFTag = isTiled ? .tileByteCounts : .stripByteCounts
    let any = 1...DNGInspection.Image.tileLimit
    guard let offsets = try raw.offsets(offsetTag, count: any) else {
      throw .container(.missingTag(raw.site(offsetTag)))
    }
    guard let byteCounts = try raw.offsets(byteCountTag, count: any) else {
      throw .container(.missingTag(raw.site(byteCountTag)))
    }
    for (tag, found) in [(offsetTag, offsets.count), (byteCountTag, byteCounts.count)]
    where found != count {
      throw raw.inconsistent(
        tag,
        "has \(found) values for \(count) \(isTiled ? "tiles" : "strips")"
      )
    }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(count)
    for (tile, (offset, byteCount)) in zip(offsets, byteCounts).enumerated() {
      guard byteCount > 0 else { throw .tileMissing(tile: tile) }
      // No tile can start within the header.
      guard
        offset >= 8, let bytes = Int(exactly: byteCount),
        let start = file.tiff.position(offset, byteCount: bytes)
      else {
        throw .tileOutsideFile(
          tile: tile,
          offset: offset,
          byteCount: byteCount,
          fileSize: file.tiff.bytes.count
        )
      }
      ranges.append(start..<start + bytes)
    }
    let order = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
    for (former, latter) in zip(order, order.dropFirst())
    where ranges[former].upperBound > ranges[latter].lowerBound {
      throw .tilesOverlap(tile: max(former, latter), other: min(former, latter))
    }
    return ranges
  }
}

extension Int {
  /// The product, or `Int.max` where it doesn't fit.
  func multipliedOrMax(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
