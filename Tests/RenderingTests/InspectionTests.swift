import Digest
import JSON
import Raster
import RawDecoding
import Rendering
import SampleScene
import TestSupport
import Testing

@Suite struct InspectionTests {
  private static let scheduler = TileScheduler(laneCount: 1)

  @Test func aSampleIsDescribed() throws {
    let size = PixelSize(width: 96, height: 64)
    let input = try SampleFile.bayerPacked14Bit.bytes(size: size, scheduler: Self.scheduler)
    let inspection = try Renderer.inspect(
      input,
      computesDigest: true,
      scheduler: Self.scheduler
    )
    let json = inspection.json
    #expect(json["content"] == "DNG")
    #expect(json["isRaw"] == true && json["isSupported"] == true)
    #expect(json["sha256"]?.stringValue == SHA256.digest(of: input).hex)
    #expect(json["dng"]?["raw"]?["width"] == 96)
    #expect(json["dng"]?["raw"]?["bitsPerSample"] == [14])
    #expect(json["dng"]?["cfaPattern"] == "rggb")
    #expect(json["dng"]?["orientation"] == 6)
    #expect(json["dng"]?["isAppleProRAW"] == false && json["dng"]?["bitDepth"] == 14)
    #expect(json["dng"]?["noiseProfile"]?.arrayValue?.count == 1)
    #expect(json["dng"]?["profile"]?["embedPolicy"] == "allowCopying")
    #expect(json["dng"]?["hints"]?["baselineNoise"] == 1)
    #expect(json["dng"]?["warnings"] == [])
    #expect(json["mosaicSHA256"]?.stringValue?.count == 64)
    #expect(try JSONParser.parse(json.bytes(.compact)) == json)
  }

  @Test(arguments: [
    ([UInt8](), "empty file", false), ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG", false),
    (Array("FUJIFILMCCD-RAW 0201".utf8), "Fujifilm RAF", true),
    (Array("plain text, no picture".utf8), "unknown format", false),
  ])
  func otherFilesAreNamed(bytes: [UInt8], name: String, isRaw: Bool) throws {
    let inspection = try Renderer.inspect(
      bytes,
      computesDigest: false,
      scheduler: Self.scheduler
    )
    #expect(inspection.contentName == name)
    #expect(inspection.json["isRaw"] == .bool(isRaw))
    #expect(inspection.json["isSupported"] == false)
    #expect(throws: RenderError.self) {
      try Renderer.inspect(bytes, computesDigest: true, scheduler: Self.scheduler)
    }
  }

  /// Stored samples of every supported corpus file equal the reference reader's, where that read it;
  /// lossy JPEG XL is rounded by each version of libjxl in its own way.
  @Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func storedSamplesAreTheReferences() throws {
    var compared = 0
    for row in try Corpus.table("MOSAIC_SHA256.tsv") {
      let path = try #require(row["path"])
      let expected = try #require(row["sha256_of_stored_samples_little_endian"])
      let input = try Corpus.bytes(path)
      guard
        try Renderer.inspect(input, computesDigest: false, scheduler: Self.scheduler).isSupported
      else { continue }
      if expected.isEmpty || path == "photos/kissx4_lossyjxl.dng"
        || path == "photos/kissx4_proxy800.dng"
      {
        continue
      }
      let inspection = try Renderer.inspect(
        input,
        computesDigest: true,
        scheduler: Self.scheduler
      )
      #expect(inspection.mosaicSHA256?.hex == expected, "\(path)")
      compared += 1
    }
    #expect(compared >= 30, "\(compared) files compared")
  }
}
