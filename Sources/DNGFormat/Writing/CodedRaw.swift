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
  /// NewRawImageDigest (51111): of the samples; of the coded tiles of JPEG XL and lossy JPEG, because what
  /// readers get of them may differ in the last bit.
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
    let segments: [[UInt8]]
    switch settings.compression {
    case .losslessJPEG, .none:
      let encoding: DNGEncoding =
        settings.compression == .none ? .uncompressed : .losslessJPEG()
      let coded = try RawSegments(
        samples,
        description,
        encoding: encoding,
        byteOrder: byteOrder,
        scheduler: scheduler
      )
      segments = coded.segments
      compression = encoding.compression
      bitsPerSample = description.bitsPerSample
      directory.setCoding(description, encoding: encoding, coded: coded)
    case .deflate:
      // DNG 1.7.1, "Compression": 8 is for floating point, 32-bit integers and masks; Adobe's reader calls
      // anything else an error.
      throw .unsupportedBitDepth(
        bitsPerSample: description.bitsPerSample,
        compression: "deflate, which is for floating point and integers of 32 bits,"
      )
    case .jpegXL:
      let coding = JPEGXLTilesCoding(description, quality: settings.quality)
      segments = try coding.encode(samples, scheduler: scheduler)
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
      segments = try coding.encode(samples, scheduler: scheduler)
      compression = .lossyJPEG
      bitsPerSample = 8
      setImage(description, coding.tiling, segments)
    }
    if let table = description.linearizationTable {
      directory.set(.linearizationTable, shorts: table)
    }
    defaults.setWhiteLevel(description.whiteLevel)
    // Of JPEG XL and lossy JPEG Adobe's reader compares the coded tiles, lossless or not.
    guard settings.compression != .jpegXL, settings.compression != .lossyJPEG else {
      digest = CompressedDigest.digest(of: segments, scheduler: scheduler)
      return
    }
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
      setDeflated(coding, segments)
    case .none:
      compression = .uncompressed
      let isHalf = bitsPerSample == 16
      let strip = WideStrip.bytes(samples, bits: bitsPerSample, byteOrder: byteOrder) {
        isHalf ? UInt32(Float16($0).bitPattern) : $0.bitPattern
      }
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
    // As widened to 32 bits, which is what Adobe's reader compares.
    digest = NewRawImageDigest.digest(of: samples, samplesPerPixel: planes, scheduler: scheduler)
  }

  /// Codes integers of 17 to 32 bits, as such of 32: with Deflate, or as they are in one strip.
  init(
    _ samples: borrowing Plane<UInt32>,
    _ description: RawDescription,
    settings: DNGOutputSettings,
    byteOrder: TIFFByteOrder,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    cameraModel = description.capture.anyCameraModel
    self.description = description
    isFloatingPoint = false
    bitsPerSample = 32
    switch settings.compression {
    case .deflate:
      let coding = DeflateTiles(
        size: description.size,
        layout: description.layout,
        bits: 32,
        isFloatingPoint: false,
        byteOrder: byteOrder
      )
      let segments = try coding.encode(samples, scheduler: scheduler)
      compression = .deflate
      setDeflated(coding, segments)
    case .none:
      compression = .uncompressed
      let strip = WideStrip.bytes(samples, bits: 32, byteOrder: byteOrder) { $0 }
      setImage(description, nil, [strip])
    case .losslessJPEG, .jpegXL, .lossyJPEG:
      throw .unsupportedBitDepth(
        bitsPerSample: description.bitsPerSample,
        compression: settings.compression.rawValue
      )
    }
    defaults.setWhiteLevel(description.whiteLevel)
    digest = NewRawImageDigest.digest(
      of: samples,
      samplesPerPixel: description.layout.samplesPerPixel,
      scheduler: scheduler
    )
  }

  /// Leaves out the source's levels; the samples have others.
  mutating func replaceLevels() {
    dropped.formUnion(DNGTagSets.levels.union([.imageStats]))
    defaults.setBlackLevel(description.blackLevel)
  }

  /// Leaves out what the source says of a mosaic, its levels and areas, and the opcodes that were applied.
  mutating func replaceMosaic() {
    dropped.formUnion(DNGTagSets.mosaic)
    dropped.formUnion([.opcodeList1, .opcodeList2, .activeArea, .maskedAreas])
    replaceLevels()
  }

  /// The entries of Deflate's tiles.
  private mutating func setDeflated(_ coding: DeflateTiles, _ segments: [[UInt8]]) {
    libraries["zlib"] = DeflateTiles.libraryVersion
    setImage(description, coding.tiling, segments)
    directory.set(.predictor, short: coding.predictor)
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
