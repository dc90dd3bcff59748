import DNGFormat
import Digest
import Raster
import RawModel
import TIFFContainer
import TestSupport
import Testing

/// Raws that are written anew: everything but the coding of their samples is kept.
@Suite struct DNGOriginalTests {
  private static let settings = DNGOutputSettings(software: "rawmill tests")
  private let scheduler = TileScheduler(laneCount: 2)

  private func rewritten(
    _ bytes: [UInt8],
    _ settings: DNGOutputSettings = settings,
    previews: DNGPreviews = .kept
  ) throws -> DNGOutput {
    try DNGWriter.write(
      DNGReader.read(bytes, scheduler: scheduler),
      keeping: DNGOriginal(bytes),
      settings: settings,
      previews: previews,
      scheduler: scheduler
    )
  }

  /// Corpus files of every kind that is read, with their readers' samples.
  @Test(
    .enabled(if: Corpus.isAvailable, Corpus.missingComment),
    arguments: [
      "photos/kissx4_lossless.dng", "photos/kissx4_colorchart.dng", "edge/gps_exif.dng",
      "edge/tff_bigtiff.dng", "edge/tff_bigendian_strips.dng", "edge/tff_linearization_table.dng",
      "edge/activearea_masked.dng", "edge/tff_1x1.dng", "edge/tff_odd_7x5.dng",
      "edge/tff_linearraw_u16.dng", "edge/blacklevel_4x4.dng", "variants/d1339_rggb_orient6.dng",
    ]
  )
  func corpusFilesKeepSamplesAndTags(name: String) throws {
    let source = try Corpus.bytes(name)
    let frame = try DNGReader.read(source, scheduler: scheduler)
    for compression in [DNGOutputSettings.Compression.losslessJPEG, .none] {
      var settings = Self.settings
      settings.compression = compression
      let output = try rewritten(source, settings)
      #expect(output.report.isUnchanged && output.report.error == nil)
      let bytes = output.bytes()
      #expect(bytes.count == output.byteCount)
      #expect(bytes.prefix(2) == source.prefix(2))
      let again = try DNGReader.read(bytes, scheduler: scheduler)
      #expect(RawImageDigest.mosaicSHA256(again) == RawImageDigest.mosaicSHA256(frame))
      let (before, after) = (try DNGReader.inspect(source), try DNGReader.inspect(bytes))
      #expect(after.blackLevel == before.blackLevel && after.whiteLevel == before.whiteLevel)
      #expect(after.activeArea == before.activeArea && after.color == before.color)
      #expect(after.opcodeList2 == before.opcodeList2)
      #expect(after.orientation == before.orientation)
      // What was written is written the same.
      #expect(try rewritten(bytes, settings).bytes() == bytes)
    }
  }

  /// Fewer bits: codes again are the same codes, and the error is what the report says.
  @Test(
    .enabled(if: Corpus.isAvailable, Corpus.missingComment),
    arguments: [
      ("photos/kissx4_lossless.dng", 12), ("photos/kissx4_lossless.dng", 10),
      ("photos/kissx4_lossless.dng", 8), ("edge/tff_linearization_table.dng", 10),
      ("edge/tff_linearraw_u16.dng", 9), ("edge/tff_odd_7x5.dng", 8),
    ]
  )
  func fewerBits(name: String, bits: Int) throws {
    let source = try Corpus.bytes(name)
    var settings = Self.settings
    settings.bitDepth = .integer(bits)
    let output = try rewritten(source, settings)
    let error = try #require(output.report.error)
    #expect(!output.report.isUnchanged && output.report.bitsPerSample == bits)
    let bytes = output.bytes()
    let before = try DNGReader.read(source, scheduler: scheduler)
    let after = try DNGReader.read(bytes, scheduler: scheduler)
    let table = try #require(after.description.linearizationTable)
    #expect(table.count <= 1 << bits && zip(table, table.dropFirst()).allSatisfy(<))
    #expect(after.description.bitsPerSample == bits)
    let sourceTable = before.description.linearizationTable
    var worst = 0.0
    var squares = 0.0
    var count = 0.0
    for y in 0..<before.description.size.height {
      for (old, new) in zip(before.samples.values(ofRow: y), after.samples.values(ofRow: y)) {
        let linear = sourceTable.map { Double($0[min(Int(old), $0.count - 1)]) } ?? old
        let distance = abs(Double(table[Int(new)]) - linear)
        count += 1
        squares += distance * distance
        worst = max(worst, distance)
        guard linear >= Double(table[0]) else { continue }
        // The nearest of all, or with dither one of the two around it.
        let code = Int(new)
        let below = code > 0 ? Double(table[code - 1]) : -.infinity
        let above = code + 1 < table.count ? Double(table[code + 1]) : .infinity
        let isNearest = distance <= abs(below - linear) && distance <= abs(above - linear)
        #expect(bits == 8 ? below < linear && linear < above : isNearest)
      }
    }
    #expect(worst == error.worstInCodes)
    #expect(abs((squares / count).squareRoot() - error.rmsInCodes) < 1e-9)
    // Nothing changes the second time.
    let again = try rewritten(bytes, settings)
    #expect(again.report.isUnchanged)
    #expect(again.bytes() == bytes)
  }

  @Test func bytesDoNotDependOnLanes() throws {
    let raw = WrittenRaw(
      width: 1030,
      height: 300,
      layout: .mosaic(.rggb),
      bits: 14,
      encoding: .losslessJPEG()
    )
    let source = try raw.file()
    for bits in [DNGOutputSettings.BitDepth.source, .integer(10), .integer(8)] {
      var settings = Self.settings
      settings.bitDepth = bits
      let one = try DNGWriter.write(
        DNGReader.read(source, scheduler: TileScheduler(laneCount: 1)),
        keeping: DNGOriginal(source),
        settings: settings,
        scheduler: TileScheduler(laneCount: 1)
      )
      #expect(try rewritten(source, settings).bytes() == one.bytes())
    }
  }
}
