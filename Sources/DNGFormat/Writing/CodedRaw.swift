internal import Digest
internal import JPEGXLCodec
internal import Raster
internal import RawModel
internal import TIFFContainer

/// A raw image as it will be stored: the entries that say how, its coded samples and their digest.
struct CodedRaw {
  private(set) var directory = IFDBuilder()
  /// Entries that are set where the source has none of its own: WhiteLevel, whose default depends on
  /// the bit depth.
  private(set) var defaults = IFDBuilder()
  let compression: DNGCompression
  /// As stored, which may be more than asked for.
  let bitsPerSample: Int
  let isFloatingPoint: Bool
  /// Of the samples that were coded.
  private let description: RawDescription
  /// Nil where the coding is lossy: what readers get differs in the last bit.
  private(set) var digest: MD5Digest?
  /// Versions of the libraries that coded the samples, by name.
  private(set) var libraries: [String: String] = [:]
  /// UniqueCameraModel for files without one.
  let cameraModel: String
  /// Tags of the source that are wrong beside it.
  var dropped: Set<TIFFTag> = []

  /// Codes integers.
  init(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    settings: DNGOutputSettings,
    byteOrder: TIFFByteOrder,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    cameraModel = description.capture.anyCameraModel
    self.description = description
    isFloatingPoint = false
    switch settings.compression {
    case .losslessJPEG, .none:
      let encoding: DNGEncoding =
        settings.compression == .none ? .uncompressed : .losslessJPEG()
      let segments = try RawSegments(
        samples,
        description,
        encoding: encoding,
        byteOrder: byteOrder,
        scheduler: scheduler
      )
      compression = encoding.compression
      bitsPerSample = description.bitsPerSample
      directory.setCoding(description, encoding: encoding, coded: segments)
    case .deflate:
      let coding = DeflateTiles(
        size: description.size,
        layout: description.layout,
        bits: description.bitsPerSample <= 8 ? 8 : 16,
        isFloatingPoint: false,
        byteOrder: byteOrder
      )
      let segments = try coding.encode(samples, scheduler: scheduler)
      compression = .deflate
      libraries["zlib"] = DeflateTiles.libraryVersion
      bitsPerSample = description.bitsPerSample <= 8 ? 8 : 16
      setImage(description, coding.tiling, segments)
      directory.set(.predictor, short: coding.predictor)
    case .jpegXL:
      let coding = JPEGXLTilesCoding(description, quality: settings.quality)
      let segments = try coding.encode(samples, scheduler: scheduler)
      compression = .jpegXL
      bitsPerSample = coding.bits
      setImage(description, coding.tiling, segments)
      libraries["libjxl"] = JPEGXLEncoder.libraryVersion
      directory.set(.jxlDistance, floats: [coding.distance ?? 0])
      directory.set(.jxlEffort, long: UInt32(coding.effort))
      if coding.isSplit {
        directory.set(.rowInterleaveFactor, long: 2)
        directory.set(.columnInterleaveFactor, long: 2)
      }
    case .lossyJPEG:
      guard case .linear = description.layout else { throw .needsLinear(compression: "lossyJPEG") }
      guard description.bitsPerSample <= 8 else {
        throw .unsupportedBitDepth(
          bitsPerSample: description.bitsPerSample,
          compression: "lossyJPEG"
        )
      }
      let coding = LossyJPEGTilesCoding(description, quality: settings.quality)
      let segments = try coding.encode(samples, scheduler: scheduler)
      compression = .lossyJPEG
      bitsPerSample = 8
      setImage(description, coding.tiling, segments)
    }
    if let table = description.linearizationTable {
      directory.set(.linearizationTable, shorts: table)
    }
    defaults.setWhiteLevel(description.whiteLevel)
    guard settings.quality == 1 else { return }
    digest = NewRawImageDigest.digest(
      of: samples,
      samplesPerPixel: description.layout.samplesPerPixel,
      isByte: bitsPerSample <= 8
        || description.linearizationTable.map { $0.count <= 256 } ?? false,
      scheduler: scheduler
    )
  }

  /// Codes floating-point samples of 16 or 32 bits: with Deflate, or as they are in one strip.
  init(
    _ samples: borrowing Plane<Float>,
    _ description: RawDescription,
    settings: DNGOutputSettings,
    byteOrder: TIFFByteOrder,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    cameraModel = description.capture.anyCameraModel
    self.description = description
    isFloatingPoint = true
    bitsPerSample = description.bitsPerSample
    switch settings.compression {
    case .deflate:
      let coding = DeflateTiles(
        size: description.size,
        layout: description.layout,
        bits: bitsPerSample,
        isFloatingPoint: true,
        byteOrder: byteOrder
      )
      let segments = try coding.encode(samples, scheduler: scheduler)
      compression = .deflate
      libraries["zlib"] = DeflateTiles.libraryVersion
      setImage(description, coding.tiling, segments)
      directory.set(.predictor, short: coding.predictor)
    case .none:
      compression = .uncompressed
      let strip = FloatStrip.bytes(samples, bits: bitsPerSample, byteOrder: byteOrder)
      setImage(description, nil, [strip])
    case .losslessJPEG, .jpegXL, .lossyJPEG:
      throw .unsupportedBitDepth(
        bitsPerSample: bitsPerSample,
        compression: "\(settings.compression.rawValue), whose samples are integers"
      )
    }
    let planes = description.layout.samplesPerPixel
    directory.set(.sampleFormat, shorts: [UInt16](repeating: 3, count: planes))
    defaults.setWhiteLevel(description.whiteLevel)
  }

  /// Leaves out what the source says of a mosaic, its levels and areas, and the opcodes that were applied.
  mutating func replaceLevels() {
    dropped.formUnion(DNGTagSets.mosaic.union(DNGTagSets.levels))
    dropped.formUnion([.opcodeList1, .opcodeList2, .activeArea, .maskedAreas, .imageStats])
    defaults.setBlackLevel(description.blackLevel)
  }

  /// Size, coding and data of the samples; in one strip without a tiling.
  private mutating func setImage(
    _ description: RawDescription,
    _ tiling: DNGTiling?,
    _ segments: [[UInt8]]
  ) {
    directory.setImage(
      description,
      compression: compression,
      bitsPerSample: bitsPerSample,
      tileSize: tiling?.tileSize,
      segments: segments
    )
  }
}
