internal import Raster
internal import TIFFContainer

extension DNGInspection.Image {
  /// What an IFD says of its image; it may say little (an IFD without an image).
  ///
  /// - Throws: `container` for tags that are there and broken.
  init(_ directory: DNGDirectory) throws(DNGReadError) {
    self.directory = directory.name
    kind = DNGImageKind(newSubFileType: try directory.integer(.newSubFileType) ?? 0)
    let sizeRange = 1...Int(UInt32.max)
    if let width = try directory.integer(.imageWidth, in: sizeRange),
      let height = try directory.integer(.imageLength, in: sizeRange)
    {
      size = PixelSize(width: width, height: height)
    }
    compression = try directory.integer(.compression).map(DNGCompression.init(rawValue:))
    photometric = try directory.integer(.photometricInterpretation)
      .map(DNGPhotometric.init(rawValue:))
    samplesPerPixel = try directory.integer(.samplesPerPixel, in: 1...65_535) ?? 1
    bitsPerSample = try directory.integers(.bitsPerSample, count: 1...65_535) ?? [1]
    sampleFormat = try directory.integers(.sampleFormat, count: 1...65_535)?.max() ?? 1
    predictor = try directory.integer(.predictor)
    // Names that can't be read say nothing.
    var ignored = ReadWarnings()
    semanticName = directory.informative(&ignored) { (tiff) throws(TIFFReadError) in
      try tiff.text(.semanticName)
    }
    semanticInstanceID = directory.informative(&ignored) { (tiff) throws(TIFFReadError) in
      try tiff.text(.semanticInstanceID)
    }
    isTiled = directory.has(.tileOffsets)
    if isTiled {
      let width = try directory.requiredInteger(.tileWidth, in: sizeRange)
      let height = try directory.requiredInteger(.tileLength, in: sizeRange)
      tileSize = PixelSize(width: width, height: height)
      tileCount = try directory.offsets(.tileOffsets, count: 1...Self.tileLimit)?.count ?? 0
    } else {
      let rows = try directory.integer(.rowsPerStrip, in: 1...Int(UInt32.max)) ?? .max
      tileSize = size.map { PixelSize(width: $0.width, height: min(rows, $0.height)) }
      tileCount = try directory.offsets(.stripOffsets, count: 1...Self.tileLimit)?.count ?? 0
    }
  }

  /// Tiles of one image: a 500-megapixel picture in 16-pixel tiles has 2 million.
  static let tileLimit = 4_000_000
}
