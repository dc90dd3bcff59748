import DNGFormat
import FileSystem
import TestSupport
import Testing

@Suite struct LosslessJPEGEncoderTests {
  /// Four samples, worked out by hand: the differences are 0 0 0 1.
  @Test func smallestStream() throws {
    var encoder = LosslessJPEGEncoder()
    let bytes = try encoder.encode(
      [8, 8, 8, 9] as [UInt16],
      shape: LosslessJPEGShape(columns: 4, rows: 1, components: 1, precision: 4)
    )
    // Counts 3 and 1: category 0 is "0", category 1 "10"; the bits are 0 0 0 10 1 and two ones.
    let expected: [UInt8] =
      [0xFF, 0xD8]
      + [0xFF, 0xC3, 0, 11, 4, 0, 1, 0, 4, 1, 0, 0x11, 0]
      + [0xFF, 0xC4, 0, 21, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
      + [0xFF, 0xDA, 0, 8, 1, 0, 0, 1, 0, 0]
      + [0b0001_0111, 0xFF, 0xD9]
    #expect(bytes == expected)
  }

  @Test(arguments: LosslessJPEGPredictor.allCases, 1...4)
  func naiveDecoderGetsTheSamplesBack(predictor: LosslessJPEGPredictor, components: Int) throws {
    var encoder = LosslessJPEGEncoder()
    for precision in [2, 8, 12, 14, 16] {
      for (columns, rows) in [(1, 1), (1, 5), (7, 1), (13, 9)] {
        let shape = LosslessJPEGShape(
          columns: columns,
          rows: rows,
          components: components,
          precision: precision
        )
        for kind in SampleKind.allCases {
          let samples = kind.samples(shape, seed: UInt64(precision))
          let bytes = try encoder.encode(samples, shape: shape, predictor: predictor)
          let decoded = NaiveLosslessJPEGDecoder(bytes)
          #expect(decoded.samples == samples.map { Int($0) }, "\(shape) \(kind)")
          #expect(decoded.predictor == Int(predictor.rawValue))
          #expect(decoded.precision == precision)
        }
      }
    }
  }

  /// 0 and 32,768 in turn: every difference is of category 16, which has no extra bits.
  @Test func categorySixteenHasNoExtraBits() throws {
    var encoder = LosslessJPEGEncoder()
    let shape = LosslessJPEGShape(columns: 64, rows: 1, components: 1, precision: 16)
    let samples = (0..<64).map { UInt16($0 % 2 == 0 ? 0 : 32_768) }
    let bytes = try encoder.encode(samples, shape: shape)
    let decoded = NaiveLosslessJPEGDecoder(bytes)
    #expect(decoded.tables[0]?.map(\.symbol) == [16])
    #expect(decoded.samples == samples.map { Int($0) })
    // 64 codes of one bit: eight zero bytes before EOI.
    #expect(Array(bytes.suffix(10)) == [UInt8](repeating: 0, count: 8) + [0xFF, 0xD9])
  }

  /// Codes too long for two between stores take the other way through the encoder.
  @Test(arguments: 1...2) func longCodesAndPairsAgree(components: Int) throws {
    var samples: [UInt16] = []
    var value: UInt16 = 0
    // Category n occurs half as often as n - 1, so that category 15 has a code of about 15 bits.
    for category in 1...15 {
      for _ in 0..<(1 << (15 - category)) {
        value = value &+ (1 << UInt16(category - 1))
        samples.append(value)
      }
    }
    samples.append(value)
    let shape = LosslessJPEGShape(
      columns: samples.count / components,
      rows: 1,
      components: components,
      precision: 16
    )
    var encoder = LosslessJPEGEncoder()
    let decoded = NaiveLosslessJPEGDecoder(try encoder.encode(samples, shape: shape))
    #expect(decoded.samples == samples.map { Int($0) })
  }

  /// The buffers of a lane must leave no trace in the next tile.
  @Test func bytesDoNotDependOnTheTileBefore() throws {
    let small = LosslessJPEGShape(columns: 16, rows: 16, components: 2, precision: 14)
    let large = LosslessJPEGShape(columns: 64, rows: 48, components: 3, precision: 16)
    let samples = SampleKind.smooth.samples(small, seed: 3)
    var fresh = LosslessJPEGEncoder()
    let expected = try fresh.encode(samples, shape: small)
    var used = LosslessJPEGEncoder()
    _ = try used.encode(SampleKind.noise.samples(large, seed: 4), shape: large)
    #expect(try used.encode(samples, shape: small) == expected)
  }

  @Test func refusals() {
    var encoder = LosslessJPEGEncoder()
    #expect(throws: DNGWritingError.sampleOverBitDepth(tile: 7, bitsPerSample: 8)) {
      try encoder.encode(
        [255, 256],
        shape: LosslessJPEGShape(columns: 2, rows: 1, components: 1, precision: 8),
        tile: 7
      )
    }
    #expect(
      throws: DNGWritingError.unsupportedBitDepth(bitsPerSample: 1, compression: "lossless JPEG")
    ) {
      try encoder.encode(
        [1],
        shape: LosslessJPEGShape(columns: 1, rows: 1, components: 1, precision: 1)
      )
    }
    #expect(
      throws: DNGWritingError.unsupportedShape(columns: 1, rows: 1, samplesPerPixel: 5)
    ) {
      try encoder.encode(
        [1, 1, 1, 1, 1],
        shape: LosslessJPEGShape(columns: 1, rows: 1, components: 5, precision: 8)
      )
    }
  }

  /// imagecodecs' two independent decoders read every stream.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func otherDecodersGetTheSamplesBack() throws {
    let folder = try TemporaryDirectory()
    var encoder = LosslessJPEGEncoder()
    var expected: [String] = []
    for components in 1...3 {
      for precision in [10, 14, 16] {
        for predictor in LosslessJPEGPredictor.allCases {
          let shape = LosslessJPEGShape(
            columns: 33,
            rows: 21,
            components: components,
            precision: precision
          )
          let samples = SampleKind.smooth.samples(shape, seed: 5)
          let name = "\(components)-\(precision)-\(predictor.rawValue)"
          try folder.write(
            try encoder.encode(samples, shape: shape, predictor: predictor),
            to: name + ".ljpeg"
          )
          try folder.write(
            samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            to: name + ".raw"
          )
          expected.append(name)
        }
      }
    }
    let output = try OraclePython.run("lossless_jpeg.py", arguments: ["\(folder.root)"])
    #expect(output == "\(expected.count) streams equal\n")
  }
}

extension LosslessJPEGEncoder {
  fileprivate mutating func encode(
    _ samples: [UInt16],
    shape: LosslessJPEGShape,
    predictor: LosslessJPEGPredictor = .left,
    tile: Int = 0
  ) throws -> [UInt8] {
    try encode(samples.span, shape: shape, predictor: predictor, tile: tile)
  }
}

/// What a test picture holds.
private enum SampleKind: CaseIterable {
  case zero
  case full
  case noise
  case smooth
  /// The ends of the range in turn: the largest differences.
  case extremes

  func samples(_ shape: LosslessJPEGShape, seed: UInt64) -> [UInt16] {
    var generator = SeededGenerator(seed: seed)
    let full = (1 << shape.precision) - 1
    return (0..<shape.sampleCount).map { index in
      let value: Int
      switch self {
      case .zero: value = 0
      case .full: value = full
      case .noise: value = .random(in: 0...full, using: &generator)
      case .smooth:
        value =
          full / 3 + index * 3 % (full / 2 + 1)
          + .random(in: 0...min(40, full / 8), using: &generator)
      case .extremes: value = index % 2 == 0 ? full : 0
      }
      return UInt16(clamping: min(value, full))
    }
  }
}
