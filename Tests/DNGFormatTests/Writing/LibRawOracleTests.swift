import DNGFormat
import FileSystem
import ProcessControl
import Raster
import RawModel
import TestSupport
import Testing

/// Mosaics as Debian's LibRaw unpacks them: the oldest reader that outputs must be right for.
@Suite struct LibRawOracleTests {
  private static let unpacker = FilePath("/usr/bin/unprocessed_raw")
  private static let isAvailable = (try? unpacker.status()) != nil

  @Test(
    .enabled(if: isAvailable, "no unprocessed_raw: deploy/setup tests"),
    arguments: [
      (1024, 300, 14, DNGOutputSettings.BitDepth.source), (1030, 301, 16, .source),
      (512, 300, 12, .source), (500, 333, 10, .source), (256, 128, 8, .source),
      (1024, 300, 14, .integer(12)), (1030, 301, 14, .integer(10)), (640, 480, 14, .integer(8)),
    ]
  )
  func unpacksTheSamples(
    width: Int,
    height: Int,
    bits: Int,
    depth: DNGOutputSettings.BitDepth
  ) throws {
    let source = try WrittenRaw(
      width: width,
      height: height,
      layout: .mosaic(.rggb),
      bits: bits,
      encoding: .uncompressed
    ).file()
    let scheduler = TileScheduler(laneCount: 2)
    for compression in [DNGOutputSettings.Compression.losslessJPEG, .none] {
      let output = try DNGWriter.write(
        DNGReader.read(source, scheduler: scheduler),
        keeping: DNGOriginal(source),
        settings: DNGOutputSettings(
          compression: compression,
          bitDepth: depth,
          software: "rawmill tests"
        ),
        scheduler: scheduler
      ).bytes()
      let folder = try TemporaryDirectory()
      let path = try folder.write(output, to: "raw.dng")
      let run = try ProgramRun.run(Self.unpacker, arguments: [Array("-q".utf8), path.bytes])
      #expect(run.exit.isSuccess, "\(compression): \(run.errorText)\(run.outputText)")
      let frame = try DNGReader.read(output, scheduler: scheduler)
      let table = frame.description.linearizationTable
      let expected = (0..<height).flatMap { y in
        frame.samples.values(ofRow: y).map { sample in
          let code = Int(sample)
          return table.map { $0[min(code, $0.count - 1)] } ?? UInt16(code)
        }
      }
      let found = try Self.samples(ofPGM: folder.path("raw.dng.pgm").readAll())
      #expect(found == expected, "\(compression)")
    }
  }

  /// Samples of a binary PGM of 16 bits: big endian after three fields of text.
  private static func samples(ofPGM bytes: [UInt8]) throws -> [UInt16] {
    let fields = bytes.prefix(64).split(
      maxSplits: 4,
      omittingEmptySubsequences: true,
      whereSeparator: { $0 == 0x0A || $0 == 0x20 }
    )
    #expect(fields.prefix(1).map { String(decoding: $0, as: UTF8.self) } == ["P5"])
    let start = try #require(fields.dropFirst(3).first).endIndex + 1
    return stride(from: start, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
  }
}
