import DNGFormat
import Digest
import Raster
import RawModel
import TIFFContainer
import TestSupport
import Testing

/// Floating-point samples and integers of more than 16 bits, written anew.
@Suite struct WideSampleTests {
  private static let size = PixelSize(width: 70, height: 33)
  private static let scheduler = TileScheduler(laneCount: 2)

  /// A Bayer raw of 32-bit samples with noise, some below black; `format` 1 integer, 3 floating point.
  private static func source(
    format: UInt16,
    samples: [UInt32],
    _ adjust: (inout IFDBuilder) -> Void = { _ in }
  ) throws -> [UInt8] {
    let strip = samples.flatMap { sample in
      (0..<4).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) }
    }
    var dng = HandmadeDNG(width: size.width, height: size.height, bits: 32, strip: strip)
    dng.main.set(.sampleFormat, short: format)
    adjust(&dng.main)
    return try dng.bytes()
  }

  private static func floats(_ value: (Int, Float) -> Float) -> [UInt32] {
    var generator = SeededGenerator(seed: 77)
    return (0..<size.pixelCount).map { index in
      let noise = Float.random(in: -0.004...0.004, using: &generator)
      return value(index, Float(index) / Float(size.pixelCount) + noise).bitPattern
    }
  }

  private static func written(
    _ source: [UInt8],
    _ settings: DNGOutputSettings
  ) throws -> (report: DNGOutputReport, bytes: [UInt8]) {
    let output = try DNGWriter.write(
      DNGReader.read(source, scheduler: scheduler),
      keeping: DNGOriginal(source),
      settings: settings,
      scheduler: scheduler
    )
    return (output.report, output.bytes())
  }

  @Test(
    "Floats become the nearest of the codes that a depth has, black and white kept",
    arguments: [8, 10, 12, 16],
    [DNGOutputSettings.Curve.squareRoot, .linear]
  )
  func floatsAsIntegers(bits: Int, curve: DNGOutputSettings.Curve) throws {
    let values = Self.floats { index, value in index == 5 ? 1.25 : value }
    let source = try Self.source(format: 3, samples: values)
    let (report, bytes) = try Self.written(
      source,
      DNGOutputSettings(bitDepth: .integer(bits), curve: curve, software: "test")
    )
    let frame = try DNGReader.read(bytes, scheduler: Self.scheduler)
    let description = frame.description
    #expect(description.bitsPerSample == bits && description.sampleFormat == .unsignedInteger)
    #expect(!report.isUnchanged && !report.isFloatingPoint)
    let black = description.blackLevel.values[0]
    let white = description.whiteLevel[0]
    // 1.25 has a code and there is room for what is below black.
    #expect(black > 0 && white < 65_535 && white > 50_000)
    let table = (description.linearizationTable ?? (0...65_535).map { UInt16($0) }).map {
      (Double($0) - black) / (white - black)
    }
    var worst = 0.0
    for y in 0..<Self.size.height {
      for (x, stored) in frame.samples.values(ofRow: y).enumerated() {
        let code = Int(stored)
        let value = Double(Float(bitPattern: values[y * Self.size.width + x]))
        let error = abs(table[code] - value)
        worst = max(worst, error)
        if bits == 8 {
          // Dithered: one of the codes on either side.
          let side = value > table[code] ? min(code + 1, table.count - 1) : max(code - 1, 0)
          // The ends of the range have the nearest linear code.
          let step = max(abs(table[side] - table[code]), 0.5 / (white - black))
          #expect(error <= step + 1e-12)
        } else {
          for other in [code - 1, code + 1] where table.indices.contains(other) {
            #expect(error <= abs(table[other] - value) + 1e-12, "\(x), \(y)")
          }
        }
      }
    }
    #expect(abs((report.error?.worstInCodes ?? 0) - worst) < 1e-9)
  }

  @Test("Integers of 32 bits keep every code, with Deflate and without")
  func wideIntegers() throws {
    var generator = SeededGenerator(seed: 3)
    let samples = (0..<Self.size.pixelCount).map { _ in
      UInt32.random(in: 0...UInt32.max, using: &generator)
    }
    let source = try Self.source(format: 1, samples: samples)
    for compression in [DNGOutputSettings.Compression.deflate, .none] {
      let settings = DNGOutputSettings(compression: compression, software: "test")
      let (report, bytes) = try Self.written(source, settings)
      #expect(report.isUnchanged && report.bitsPerSample == 32)
      let frame = try DNGReader.read(bytes, scheduler: Self.scheduler)
      let found = (0..<Self.size.height).flatMap { frame.samples.values(ofRow: $0) }
      #expect(found == samples.map { Double($0) })
      #expect(frame.description.whiteLevel == [4_294_967_295])
    }
    #expect(
      throws: DNGWritingError.unsupportedBitDepth(bitsPerSample: 32, compression: "losslessJPEG")
    ) {
      try Self.written(source, DNGOutputSettings(software: "test"))
    }
    // As integers of 14 bits they are within half a step.
    let reduced = try Self.written(
      source,
      DNGOutputSettings(bitDepth: .integer(14), curve: .linear, software: "test")
    )
    #expect((reduced.report.error?.worstInCodes ?? 0) < 4_294_967_296 / 16_384)
    #expect(throws: DNGWritingError.unsupportedSamples(.uint32)) {
      try Self.written(
        source,
        DNGOutputSettings(compression: .deflate, bitDepth: .float32, software: "test")
      )
    }
  }

  @Test("What has no code is refused: not a number, more than a half float holds")
  func unrepresentable() throws {
    let broken = try Self.source(
      format: 3,
      samples: Self.floats { index, value in index == 71 ? .nan : value }
    )
    #expect(
      throws: DNGWritingError.unrepresentableSample(row: 1, target: "integers of 12 bits")
    ) {
      try Self.written(broken, DNGOutputSettings(bitDepth: .integer(12), software: "test"))
    }
    let large = try Self.source(
      format: 3,
      samples: Self.floats { index, value in index == 141 ? 70_000 : value }
    )
    #expect(throws: DNGWritingError.unrepresentableSample(row: 2, target: "half floats")) {
      try Self.written(
        large,
        DNGOutputSettings(compression: .deflate, bitDepth: .float16, software: "test")
      )
    }
  }

  @Test("Float outputs state the digest of their own samples, widened to 32 bits")
  func floatDigest() throws {
    let source = try Self.source(format: 3, samples: Self.floats { $1 })
    for depth in [DNGOutputSettings.BitDepth.float16, .float32] {
      for compression in [DNGOutputSettings.Compression.none, .deflate] {
        let (report, bytes) = try Self.written(
          source,
          DNGOutputSettings(compression: compression, bitDepth: depth, software: "test")
        )
        let frame = try DNGReader.read(bytes, scheduler: Self.scheduler)
        #expect(frame.description.warnings.isEmpty)
        #expect(try NewRawImageDigest.digest(ofFloats: frame) == report.rawImageDigest)
      }
    }
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func otherReadersGetTheSamples() throws {
    let folder = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 8)
    let integers = try Self.source(
      format: 1,
      // What a 32-bit float of the comparison holds.
      samples: (0..<Self.size.pixelCount).map { _ in
        UInt32.random(in: 0..<1 << 24, using: &generator)
      }
    )
    let floats = try Self.source(format: 3, samples: Self.floats { $1 })
    let cases: [([UInt8], DNGOutputSettings.Compression, DNGOutputSettings.BitDepth)] = [
      (integers, .deflate, .source), (integers, .none, .source),
      (integers, .losslessJPEG, .integer(12)),
      (floats, .losslessJPEG, .integer(12)), (floats, .none, .integer(10)),
      (floats, .losslessJPEG, .integer(16)), (floats, .deflate, .float16),
      (floats, .none, .float16),
    ]
    for (index, (source, compression, bitDepth)) in cases.enumerated() {
      let bytes = try Self.written(
        source,
        DNGOutputSettings(compression: compression, bitDepth: bitDepth, software: "test")
      ).bytes
      let frame = try DNGReader.read(bytes, scheduler: Self.scheduler)
      let samples = (0..<Self.size.height).flatMap { frame.samples.values(ofRow: $0) }
      try folder.write(bytes, to: "\(index).dng")
      try folder.write(
        samples.flatMap { sample in
          (0..<4).map { UInt8(truncatingIfNeeded: Float(sample).bitPattern >> (8 * $0)) }
        },
        to: "\(index).raw"
      )
      try folder.write([], to: "\(index).notlibraw")
    }
    let result = try OraclePython.run("dng_outputs.py", arguments: ["\(folder.root)"])
    #expect(result == "tifffile \(cases.count) dngpy \(cases.count) rawpy 0\n")
  }
}

extension NewRawImageDigest {
  /// The digest of a raw's floating-point samples.
  fileprivate static func digest(ofFloats frame: borrowing RawFrame) throws -> MD5Digest? {
    switch frame.samples {
    case .float32(let plane):
      digest(of: plane, samplesPerPixel: 1, scheduler: TileScheduler(laneCount: 1))
    default: nil
    }
  }
}
