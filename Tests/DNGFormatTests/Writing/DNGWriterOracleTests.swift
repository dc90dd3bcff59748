import DNGFormat
import FileSystem
import ProcessControl
import RawModel
import TestSupport
import Testing

/// Files of the writer as other programs read them.
@Suite struct DNGWriterOracleTests {
  private static let exifTool = FilePath("/usr/bin/exiftool")

  /// tifffile with imagecodecs, and LibRaw (rawpy), read the very samples.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func otherReadersGetTheSamples() throws {
    let folder = try TemporaryDirectory()
    for (index, raw) in WrittenRaw.all.enumerated() {
      try folder.write(try raw.file(), to: "\(index).dng")
      try folder.write(
        raw.samples().flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
        to: "\(index).raw"
      )
    }
    let output = try OraclePython.run("dng_samples.py", arguments: ["\(folder.root)"])
    #expect(output == "\(WrittenRaw.all.count) files equal\n")
  }

  @Test(
    .enabled(if: (try? exifTool.status()) != nil, "exiftool not found"),
    arguments: [
      DNGEncoding.losslessJPEG(), .uncompressed,
    ]
  )
  func exifToolValidatesWithoutAWarning(encoding: DNGEncoding) throws {
    let folder = try TemporaryDirectory()
    for (index, layout) in [SampleLayout.mosaic(.rggb), .linear(planes: 3)].enumerated() {
      // Rows of whole bytes: exiftool's idea of a strip's size leaves out the padding of rows.
      let raw = WrittenRaw(width: 96, height: 62, layout: layout, bits: 14, encoding: encoding)
      let path = try folder.write(try raw.file(), to: "\(index).dng")
      let run = try ProgramRun.run(
        Self.exifTool,
        arguments: [
          Array("-validate".utf8), Array("-warning".utf8), Array("-error".utf8), Array("-a".utf8),
          path.bytes,
        ]
      )
      #expect(run.exit.isSuccess)
      #expect(run.outputText == "Validate                        : OK\n")
    }
  }
}
