import DNGFormat
import Raster
import RawModel
import TestSupport
import Testing

/// Every way to write a raw anew, as other readers get the samples.
@Suite struct DNGOutputOracleTests {
  /// One output and the samples that it must have.
  private struct Case {
    var source: WrittenRaw
    var compression: DNGOutputSettings.Compression
    var bitDepth = DNGOutputSettings.BitDepth.source
    var quality = 1.0
    /// The root mean square error that a lossy coding may have, in linear codes.
    var tolerance: Double?

    func settings(_ compression: DNGOutputSettings.Compression? = nil) -> DNGOutputSettings {
      DNGOutputSettings(
        compression: compression ?? self.compression,
        bitDepth: bitDepth,
        quality: compression == nil ? quality : 1,
        software: "rawmill tests"
      )
    }
  }

  private static let sizes = [(1, 1), (7, 5), (64, 48), (98, 62), (1030, 301)]

  private static let cases: [Case] = {
    var cases: [Case] = []
    for (width, height) in sizes {
      for (layout, bits) in [(SampleLayout.mosaic(.grbg), 14), (.linear(planes: 3), 12)] {
        let source = WrittenRaw(
          width: width,
          height: height,
          layout: layout,
          bits: bits,
          encoding: .uncompressed
        )
        for compression in [
          DNGOutputSettings.Compression.losslessJPEG, .none, .jpegXL,
        ] {
          for depth in [DNGOutputSettings.BitDepth.source, .integer(8), .integer(9), .integer(10)] {
            cases.append(Case(source: source, compression: compression, bitDepth: depth))
          }
        }
        for compression in [DNGOutputSettings.Compression.none, .deflate] {
          for depth in [DNGOutputSettings.BitDepth.float16, .float32] {
            cases.append(Case(source: source, compression: compression, bitDepth: depth))
          }
        }
        guard width > 16 else { continue }
        cases.append(
          Case(
            source: source,
            compression: .jpegXL,
            quality: 0.9,
            tolerance: layout == .linear(planes: 3) ? 30 : 100
          )
        )
        if case .linear = layout {
          cases.append(
            Case(source: source, compression: .lossyJPEG, quality: 0.95, tolerance: 25)
          )
        }
      }
    }
    return cases
  }()

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func otherReadersGetTheSamples() throws {
    let folder = try TemporaryDirectory()
    var libRawCount = 0
    for (index, test) in Self.cases.enumerated() {
      let source = try test.source.file()
      let scheduler = TileScheduler(laneCount: 2)
      func output(_ settings: DNGOutputSettings) throws -> DNGOutput {
        try DNGWriter.write(
          DNGReader.read(source, scheduler: scheduler),
          keeping: DNGOriginal(source),
          settings: settings,
          scheduler: scheduler
        )
      }
      try folder.write(try output(test.settings()).bytes(), to: "\(index).dng")
      try folder.write(try expected(test, output).flatMap(Self.bytes), to: "\(index).raw")
      if let tolerance = test.tolerance {
        try folder.write(Array("\(tolerance)".utf8), to: "\(index).lossy")
      }
      // LibRaw reads tiles that are wider than the frame with their rows scrambled, and nothing tiny.
      let isLibRaw = test.source.width >= 64
      if !isLibRaw { try folder.write([], to: "\(index).notlibraw") }
      let isInteger = test.bitDepth != .float16 && test.bitDepth != .float32
      if isLibRaw, isInteger, test.compression == .losslessJPEG || test.compression == .none {
        libRawCount += 1
      }
    }
    let result = try OraclePython.run("dng_outputs.py", arguments: ["\(folder.root)"])
    let count = Self.cases.count
    #expect(result == "tifffile \(count) dngpy \(count) rawpy \(libRawCount)\n")
  }

  /// The samples that a file must have: the source's (of lossy codings as light), or those that lossless JPEG stores of this depth, or
  /// the parts between black and white.
  private func expected(
    _ test: Case,
    _ output: (DNGOutputSettings) throws -> DNGOutput
  ) throws -> [Float] {
    let white = Double((1 << test.source.bits) - 1)
    switch test.bitDepth {
    case .float16:
      return test.source.samples().map { Float(Float16((Double($0) - 4) / (white - 4))) }
    case .float32:
      return test.source.samples().map { Float((Double($0) - 4) / (white - 4)) }
    case .source:
      return test.source.samples().map { Float($0) }
    case .integer:
      let frame = try DNGReader.read(
        try output(test.settings(.losslessJPEG)).bytes(),
        scheduler: TileScheduler(laneCount: 1)
      )
      return (0..<test.source.height).flatMap { y in
        frame.samples.values(ofRow: y).map { Float($0) }
      }
    }
  }

  private static func bytes(_ value: Float) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }
}
