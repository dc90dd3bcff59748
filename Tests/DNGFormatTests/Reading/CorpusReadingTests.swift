internal import DNGFormat
internal import Digest
internal import Raster
internal import RawModel
internal import TestSupport
import Testing

/// The corpus' DNGs: stored samples as a reference reader finds them, or the reason why not.
@Suite(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
struct CorpusReadingTests {
  /// What is not read yet, by the feature that the error must name.
  static let unsupported: [String: DNGUnsupportedFeature] = [
    "edge/tff_deflate_cfa_tile256.dng": .compression(.deflateLegacy),
    "edge/tff_linearraw_f16_deflate.dng": .compression(.deflateLegacy),
    "edge/tff_linearraw_f32.dng": .sampleFormat(3),
    "photos/kissx4_float16.dng": .compression(.deflate),
    "photos/kissx4_float32.dng": .compression(.deflate),
    "photos/kissx4_linear-losslessjxl.dng": .compression(.jpegXL),
    "photos/kissx4_losslessjxl.dng": .compression(.jpegXL),
    "photos/kissx4_lossyjxl.dng": .compression(.jpegXL),
    "photos/kissx4_proxy800.dng": .compression(.jpegXL),
  ]

  static func rows() throws -> [[String: String]] {
    try Corpus.table("MOSAIC_SHA256.tsv")
  }

  @Test("Stored samples equal the reference reader's; what is not supported says so")
  func storedSamples() throws {
    var checked = 0
    for row in try Self.rows() {
      let path = try #require(row["path"])
      let bytes = try Corpus.bytes(path)
      if let feature = Self.unsupported[path] {
        #expect(throws: DNGReadError.unsupported(feature), "\(path)") {
          _ = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 2))
        }
        #expect(try DNGReader.inspect(bytes).unsupported == feature, "\(path)")
        continue
      }
      let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 2))
      let digest = RawImageDigest.mosaicSHA256(frame).hex
      #expect(digest == row["sha256_of_stored_samples_little_endian"], "\(path)")
      #expect(try DNGReader.inspect(bytes).unsupported == nil, "\(path)")
      checked += 1
    }
    #expect(checked >= 40)
  }

  @Test("One lane and many give the same samples", arguments: [1, 2, 5])
  func lanes(count: Int) throws {
    let bytes = try Corpus.bytes("photos/kissx4_lossless.dng")
    let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: count))
    #expect(
      RawImageDigest.mosaicSHA256(frame).hex
        == "4b858970f8131549c8728e855a7439d92e54c96c66511dda2f48bdb517be5fe1"
    )
  }
}
