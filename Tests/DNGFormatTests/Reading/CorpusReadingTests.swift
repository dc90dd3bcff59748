internal import DNGFormat
internal import Digest
internal import Raster
internal import RawModel
internal import TestSupport
import Testing

/// The corpus' DNGs: stored samples as a reference reader finds them, or the reason why not.
@Suite(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
struct CorpusReadingTests {
  /// Lossy JPEG XL, which every version of libjxl rounds in its own way; the digest that these files
  /// state is that of their tiles' bytes.
  static let lossyJPEGXL: Set<String> = [
    "photos/kissx4_lossyjxl.dng", "photos/kissx4_proxy800.dng",
  ]

  /// What the reference reader refuses (Deflate under its old number); by tifffile.
  static let unread = [
    "edge/tff_deflate_cfa_tile256.dng":
      "eb50777212e9535a60504a481e551679ace97cc6600638376cb935319ed63093",
    "edge/tff_linearraw_f16_deflate.dng":
      "4c4b0e26c06d9c51d875a438d3c2c9b79de65654a27ed41cbc3b285633827f25",
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
      let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 2))
      let digest = RawImageDigest.mosaicSHA256(frame).hex
      #expect(try DNGReader.inspect(bytes).unsupported == nil, "\(path)")
      if Self.lossyJPEGXL.contains(path) {
        #expect(frame.description.warnings.isEmpty)
        continue
      }
      let expected = Self.unread[path] ?? row["sha256_of_stored_samples_little_endian"]
      #expect(digest == expected, "\(path)")
      checked += 1
    }
    #expect(checked == 48)
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
