internal import DNGFormat
internal import Diagnostics
internal import Raster
internal import RawModel
internal import TIFFContainer
internal import TestSupport
import Testing

@Suite("Reading handmade DNGs")
struct DNGReadingTests {
  private static func read(_ bytes: [UInt8]) throws(DNGReadError) -> RawFrame {
    try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 2))
  }

  private static func failure(_ bytes: [UInt8]) -> DNGReadError? {
    do throws(DNGReadError) {
      _ = try read(bytes)
      return nil
    } catch {
      return error
    }
  }

  private static func samples(_ frame: borrowing RawFrame) -> [Int] {
    var all: [Int] = []
    for y in 0..<frame.samples.height { all += frame.samples.values(ofRow: y).map { Int($0) } }
    return all
  }

  @Test("Samples of every size, high bits first, rows on whole bytes", arguments: 1...16)
  func bitDepths(bits: Int) throws {
    var generator = SeededGenerator(seed: UInt64(bits))
    let (width, height) = (7, 3)
    let values = (0..<width * height).map { _ in Int.random(in: 0..<1 << bits, using: &generator) }
    for order in [TIFFByteOrder.littleEndian, .bigEndian] {
      var strip: [UInt8] = []
      for row in 0..<height {
        let line = values[row * width..<(row + 1) * width]
        if bits == 16 {
          strip += line.flatMap { value in
            let pair = [UInt8(value >> 8), UInt8(value & 255)]
            return order == .bigEndian ? pair : pair.reversed()
          }
        } else {
          // Bit by bit.
          let all = line.flatMap { value in (0..<bits).map { value >> (bits - 1 - $0) & 1 } }
          for start in stride(from: 0, to: all.count, by: 8) {
            let byte = (0..<8).map { start + $0 < all.count ? all[start + $0] : 1 }
            strip.append(byte.reduce(0) { $0 << 1 | UInt8($1) })
          }
        }
      }
      var dng = HandmadeDNG(width: width, height: height, bits: bits, strip: strip)
      dng.byteOrder = order
      let frame = try Self.read(dng.bytes())
      #expect(Self.samples(frame) == values)
      #expect(frame.description.whiteLevel == [Double(1 << bits - 1)])
      #expect(frame.description.bitsPerSample == bits)
    }
  }

  @Test("All four phases, and no other pattern", arguments: CFAPattern.allCases)
  func phases(pattern: CFAPattern) throws {
    var dng = HandmadeDNG()
    dng.main.set(.cfaPattern, bytes: pattern.colors.map(UInt8.init))
    #expect(try Self.read(dng.bytes()).description.layout == .mosaic(pattern))
    #expect(try DNGReader.inspect(dng.bytes()).cfaPattern == pattern.rawValue)
    dng.main.set(.cfaPattern, bytes: [0, 1, 2, 1])
    #expect(try Self.failure(dng.bytes()) == .unsupported(.colorFilterArray("rgbg")))
  }

  @Test("Tiles may be larger than the picture and cover it in any number")
  func tiles() throws {
    var dng = HandmadeDNG(width: 5, height: 3)
    dng.useTiles(width: 4, height: 2)
    dng.segments = (0..<4).map { tile in (0..<8).flatMap { [UInt8(tile * 16 + $0), 0] } }
    let frame = try Self.read(dng.bytes())
    #expect(Self.samples(frame) == [0, 1, 2, 3, 16, 4, 5, 6, 7, 20, 32, 33, 34, 35, 48])
  }

  @Test("Bytes after an uncompressed strip's samples are padding if they can be")
  func padding() throws {
    let samples = (0..<96).map { UInt8($0) }
    for (padding, isRead) in [
      ([UInt8](repeating: 0, count: 100_000), true), (Array(repeating: 9, count: 4095), true),
      ((0..<4095).map { UInt8($0 & 255) }, true), ((0..<4096).map { UInt8($0 & 255) }, false),
    ] {
      let dng = HandmadeDNG(strip: samples + padding)
      #expect((Self.failure(try dng.bytes()) == nil) == isRead, "\(padding.count)")
    }
  }

  @Test("A lossy JPEG under compression 7 is named with its bits")
  func lossyUnderLossless() throws {
    for (marker, precision) in [(UInt8(0xC1), UInt8(12)), (0xC0, 8)] {
      var dng = HandmadeDNG(width: 8, height: 6, bits: Int(precision))
      dng.main.set(.compression, short: 7)
      dng.segments = [
        [0xFF, 0xD8, 0xFF, marker, 0, 11, precision, 0, 6, 0, 8, 1, 1, 0x11, 0, 0xFF, 0xD9]
      ]
      let error = Self.failure(try dng.bytes())
      #expect(
        error
          == .unsupported(.jpegProcess(marker: Int(marker), precision: Int(precision)))
      )
      #expect(error?.message.contains("\(precision) bits") == true)
    }
  }

  @Test("Masks, depth, previews and the enhanced image are told apart")
  func otherImages() throws {
    var dng = HandmadeDNG()
    let kinds: [(UInt32, DNGImageKind)] = [
      (1, .preview), (4, .transparencyMask), (8, .depthMap), (16, .enhanced),
      (65_540, .semanticMask), (65_537, .alternatePreview),
    ]
    dng.main.set(
      .subIFDs,
      directories: kinds.map { kind, _ in
        var image = IFDBuilder()
        image.set(.newSubFileType, long: kind)
        image.set(.imageWidth, long: 4)
        image.set(.imageLength, long: 3)
        image.set(.bitsPerSample, short: 8)
        image.set(.compression, short: 7)
        image.set(.photometricInterpretation, short: kind == 65_540 ? 52_527 : 1)
        if kind == 65_540 {
          image.set(.semanticName, ascii: "com.apple.semantic.sky")
          image.set(.semanticInstanceID, ascii: "1")
        }
        return image
      }
    )
    let inspection = try DNGReader.inspect(dng.bytes())
    #expect(inspection.rawIndex == 0)
    #expect(inspection.images.dropFirst().map(\.kind) == kinds.map(\.1))
    let mask = inspection.images[5]
    #expect(mask.semanticName == "com.apple.semantic.sky" && mask.semanticInstanceID == "1")
    #expect(inspection.images[1].semanticName == nil)
    #expect(mask.size == PixelSize(width: 4, height: 3) && mask.bitsPerSample == [8])
  }

  @Test("Levels, areas and crop come as stated")
  func description() throws {
    var dng = HandmadeDNG()
    dng.main.set(.linearizationTable, shorts: [0, 10, 4000])
    dng.main.set(.blackLevelRepeatDim, shorts: [2, 2])
    dng.main.set(.blackLevel, rationals: [1, 2, 3, 9].map { TIFFRational($0, 2) })
    dng.main.set(.blackLevelDeltaH, signedRationals: (0..<6).map { TIFFSignedRational($0, 4) })
    dng.main.set(.blackLevelDeltaV, signedRationals: (0..<4).map { TIFFSignedRational(-$0, 4) })
    dng.main.set(.whiteLevel, short: 3000)
    dng.main.set(.activeArea, shorts: [1, 2, 5, 8])
    dng.main.set(.maskedAreas, shorts: [0, 0, 1, 8, 1, 0, 5, 2])
    dng.main.set(.defaultCropOrigin, rationals: [TIFFRational(1, 2), TIFFRational(1, 1)])
    dng.main.set(.defaultCropSize, rationals: [TIFFRational(9, 2), TIFFRational(3, 1)])
    dng.main.set(.orientation, short: 6)
    dng.main.set(.baselineExposure, signedRationals: [TIFFSignedRational(3, 2)])
    dng.main.set(.baselineExposureOffset, signedRationals: [TIFFSignedRational(-1, 2)])
    dng.main.set(.shadowScale, rationals: [TIFFRational(1, 2)])
    dng.main.set(.defaultBlackRender, long: 1)
    let description = try Self.read(dng.bytes()).description
    #expect(description.linearizationTable == [0, 10, 4000])
    #expect(description.blackLevel.values == [0.5, 1, 1.5, 4.5])
    #expect(description.blackLevel.level(row: 3, column: 5, sample: 0) == 4.5 + 1.25 - 0.75)
    #expect(description.whiteLevel == [3000])
    #expect(description.activeArea == Region(left: 2, top: 1, width: 6, height: 4))
    #expect(
      description.defaultCrop == DefaultCrop(originX: 0.5, originY: 1, width: 4.5, height: 3)
    )
    #expect(description.orientation == .right)
    #expect(description.baselineExposure == 1.5)
    #expect(description.profile.baselineExposureOffset == -0.5)
    #expect(description.shadowScale == 0.5)
    #expect(description.profile.isDefaultBlackNone)
    let inspection = try DNGReader.inspect(dng.bytes())
    #expect(inspection.maskedAreas.count == 2)
    #expect(inspection.images.map(\.kind) == [.main])
    #expect(inspection.blackLevel == description.blackLevel)
  }

  @Test("Calibrations count for profiles of the same signature alone")
  func signatures() throws {
    var dng = HandmadeDNG()
    let doubled = [2, 0, 0, 0, 2, 0, 0, 0, 2].map { TIFFSignedRational(Int32($0), 1) }
    dng.main.set(.cameraCalibration1, signedRationals: doubled)
    dng.main.set(.colorMatrix2, signedRationals: doubled)
    dng.main.set(.forwardMatrix2, signedRationals: doubled)
    dng.main.set(.calibrationIlluminant1, short: 17)
    dng.main.set(.calibrationIlluminant2, short: 21)
    let color = try Self.read(dng.bytes()).description.color
    #expect(color.calibrations.map(\.illuminant) == [17, 21])
    #expect(color.calibrations[0].cameraCalibration == color.calibrations[1].colorMatrix)
    #expect(color.calibrations[1].forwardMatrix != nil)
    dng.main.set(.cameraCalibrationSignature, ascii: "one")
    #expect(
      try Self.read(dng.bytes()).description.color.calibrations[0].cameraCalibration == nil
    )
    dng.main.set(.profileCalibrationSignature, ascii: "one")
    #expect(
      try Self.read(dng.bytes()).description.color.calibrations[0].cameraCalibration != nil
    )
  }

  /// What is changed, and the code of the error that must follow.
  private static let faults: [(String, ErrorCode, @Sendable (inout IFDBuilder) -> Void)] = [
    ("no DNGVersion", "notDNG", { $0.remove(.dngVersion) }),
    ("newer DNG", "unsupportedFeature", { $0.set(.dngBackwardVersion, bytes: [1, 8, 0, 0]) }),
    ("preview only", "noRawImage", { $0.set(.newSubFileType, long: 1) }),
    ("RGB only", "noRawImage", { $0.set(.photometricInterpretation, short: 2) }),
    ("no width", "tagMissing", { $0.remove(.imageWidth) }),
    ("width 0", "tagInvalidValue", { $0.set(.imageWidth, long: 0) }),
    ("huge", "rawTooLarge", { $0.set(.imageWidth, long: .max) }),
    ("too wide", "tileByteCount", { $0.set(.imageWidth, long: 9) }),
    ("more strips", "tagInconsistent", { $0.set(.rowsPerStrip, long: 2) }),
    ("rows 0", "tagInvalidValue", { $0.set(.rowsPerStrip, long: 0) }),
    ("empty strip", "tileMissing", { $0.set(.stripByteCounts, long: 0) }),
    ("strip too long", "byteCountBeyondFile", { $0.set(.stripByteCounts, long: 97) }),
    ("strip in header", "byteCountBeyondFile", { $0.set(.stripOffsets, long: 0) }),
    ("no counts", "tagMissing", { $0.remove(.stripByteCounts) }),
    ("neither", "stripsAndTiles", { $0.remove(.stripOffsets) }),
    (
      "both", "stripsAndTiles",
      {
        $0.set(.tileOffsets, long: 8)
        $0.set(.tileWidth, long: 8)
        $0.set(.tileLength, long: 6)
      }
    ),
    ("LZW", "unsupportedFeature", { $0.set(.compression, short: 5) }),
    ("Deflate", "deflateDamaged", { $0.set(.compression, short: 8) }),
    ("JPEG XL", "jpegXLDamaged", { $0.set(.compression, short: 52_546) }),
    ("lossy JPEG of 16 bits", "unsupportedFeature", { $0.set(.compression, short: 34_892) }),
    (
      "lossy JPEG", "jpegDamaged",
      {
        $0.set(.compression, short: 34_892)
        $0.set(.bitsPerSample, short: 8)
      }
    ),
    (
      "float JPEG", "unsupportedFeature",
      {
        $0.set(.compression, short: 7)
        $0.set(.sampleFormat, short: 3)
      }
    ),
    ("signed", "unsupportedFeature", { $0.set(.sampleFormat, short: 2) }),
    ("24 bit", "tileByteCount", { $0.set(.bitsPerSample, short: 24) }),
    ("33 bit", "unsupportedFeature", { $0.set(.bitsPerSample, short: 33) }),
    (
      "float of 20 bits", "unsupportedFeature",
      {
        $0.set(.bitsPerSample, short: 20)
        $0.set(.sampleFormat, short: 3)
      }
    ),
    (
      "predictor of integers", "unsupportedFeature",
      {
        $0.set(.compression, short: 8)
        $0.set(.predictor, short: 3)
      }
    ),
    (
      "predictor of 12 bits", "unsupportedFeature",
      {
        $0.set(.compression, short: 8)
        $0.set(.bitsPerSample, short: 12)
        $0.set(.predictor, short: 2)
      }
    ),
    ("0 bit", "unsupportedFeature", { $0.set(.bitsPerSample, short: 0) }),
    ("three bit depths", "tagInconsistent", { $0.set(.bitsPerSample, shorts: [16, 16, 16]) }),
    ("CFA of 3 samples", "tagInconsistent", { $0.set(.samplesPerPixel, short: 3) }),
    (
      "LinearRaw of 5", "unsupportedFeature",
      {
        $0.set(.photometricInterpretation, short: 34_892)
        $0.set(.samplesPerPixel, short: 5)
        $0.set(.bitsPerSample, shorts: [8, 8, 8, 8, 8])
      }
    ),
    ("CFALayout", "unsupportedFeature", { $0.set(.cfaLayout, short: 2) }),
    (
      "X-Trans", "unsupportedFeature",
      {
        $0.set(.cfaRepeatPatternDim, shorts: [6, 6])
        $0.set(.cfaPattern, bytes: Array(repeating: 1, count: 36))
      }
    ),
    ("pattern short", "tagInconsistent", { $0.set(.cfaPattern, bytes: [0, 1, 1]) }),
    ("pattern colour", "tagInconsistent", { $0.set(.cfaPattern, bytes: [0, 1, 1, 5]) }),
    ("no interleave", "tagInvalidValue", { $0.set(.rowInterleaveFactor, long: 0) }),
    ("sub tiles", "tagInconsistent", { $0.set(.subTileBlockSize, longs: [4, 2]) }),
    ("predictor", "unsupportedFeature", { $0.set(.predictor, short: 2) }),
    ("white 0", "whiteLevelNotPositive", { $0.set(.whiteLevel, short: 0) }),
    ("black at white", "blackNotBelowWhite", { $0.set(.blackLevel, long: 65_535) }),
    ("black count", "tagInconsistent", { $0.set(.blackLevel, shorts: [1, 2]) }),
    ("white count", "tagInconsistent", { $0.set(.whiteLevel, shorts: [100, 200]) }),
    ("area outside", "tagInconsistent", { $0.set(.activeArea, shorts: [0, 0, 7, 8]) }),
    ("area empty", "tagInconsistent", { $0.set(.activeArea, shorts: [3, 0, 3, 8]) }),
    ("crop outside", "tagInconsistent", { $0.set(.defaultCropSize, shorts: [9, 6]) }),
    ("crop empty", "tagInconsistent", { $0.set(.defaultCropSize, shorts: [0, 6]) }),
    (
      "neutral 0", "tagInconsistent",
      { $0.set(.asShotNeutral, rationals: [1, 0, 1].map { TIFFRational($0, 1) }) }
    ),
    (
      "singular", "singularMatrix",
      {
        $0.set(
          .colorMatrix1,
          signedRationals: (1...9).map { TIFFSignedRational($0, 1) }
        )
      }
    ),
    ("opcodes cut", "opcodeListDamaged", { $0.set(.opcodeList2, undefined: [0, 0, 0, 1, 0]) }),
    ("opcodes left", "opcodeListDamaged", { $0.set(.opcodeList3, undefined: [0, 0, 0, 0, 9]) }),
    (
      "digest", "rawDigestMismatch",
      { $0.set(.newRawImageDigest, bytes: Array(repeating: 7, count: 16)) }
    ),
    ("digest short", "tagWrongCount", { $0.set(.newRawImageDigest, bytes: [7]) }),
  ]

  @Test("Each fault ends in its error", arguments: faults.indices)
  func fault(index: Int) throws {
    let (name, code, change) = Self.faults[index]
    #expect(Self.failure(try HandmadeDNG().bytes()) == nil)
    #expect(Self.failure(try HandmadeDNG().bytes(change))?.code == code, "\(name)")
  }

  @Test("Strips may not share bytes")
  func overlap() throws {
    var dng = HandmadeDNG()
    dng.segments = [Array(repeating: 0, count: 48), Array(repeating: 0, count: 48)]
    dng.main.set(.rowsPerStrip, long: 3)
    #expect(Self.failure(try dng.bytes()) == nil)
    #expect(
      Self.failure(try dng.bytes { $0.set(.stripOffsets, longs: [600, 640]) })?.code
        == "byteCountBeyondFile"
        || Self.failure(
          try dng.bytes { $0.set(.stripOffsets, longs: [100, 140]) }
        )
          == .tilesOverlap(tile: 1, other: 0)
    )
    #expect(
      Self.failure(try dng.bytes { $0.set(.stripOffsets, longs: [100, 140]) })
        == .tilesOverlap(tile: 1, other: 0)
    )
  }

  @Test("Limits are checked before memory is taken")
  func limits() throws {
    let bytes = try HandmadeDNG().bytes()
    for limits in [
      DNGReadLimits(pixels: 47, decodedBytes: 1 << 20), DNGReadLimits(pixels: 48, decodedBytes: 95),
    ] {
      #expect(throws: DNGReadError.self) {
        _ = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 1), limits: limits)
      }
    }
    _ = try DNGReader.read(
      bytes,
      scheduler: TileScheduler(laneCount: 1),
      limits: DNGReadLimits(pixels: 48, decodedBytes: 96)
    )
  }

  @Test("Thousands of damaged files end in an error or a frame", arguments: [1, 2, 3] as [UInt64])
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var encoder = LosslessJPEGEncoder()
    var tiled = HandmadeDNG(width: 12, height: 8)
    tiled.useTiles(width: 8, height: 8)
    tiled.main.set(.compression, short: 7)
    let samples = (0..<64).map { _ in UInt16.random(in: 0...65_535, using: &generator) }
    tiled.segments = try (0..<2).map { _ in
      try encoder.encode(
        samples.span,
        shape: LosslessJPEGShape(columns: 4, rows: 8, components: 2, precision: 16)
      )
    }
    let originals = [try HandmadeDNG().bytes(), try tiled.bytes()]
    #expect(originals.allSatisfy { Self.failure($0) == nil })
    var refused = 0
    for round in 0..<3000 {
      var bytes = originals[round % 2]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 2: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 16)
        default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        if bytes.isEmpty { break }
      }
      if Self.failure(bytes) != nil { refused += 1 }
      _ = try? DNGReader.inspect(bytes)
    }
    #expect(refused > 500, "seed \(seed)")
  }
}
