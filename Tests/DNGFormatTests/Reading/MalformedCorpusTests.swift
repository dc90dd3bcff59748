internal import DNGFormat
internal import Diagnostics
internal import Raster
internal import TestSupport
import Testing

/// Damaged files: each one must end in an error that names the damage.
@Suite(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
struct MalformedCorpusTests {
  /// What is found in each of the mutated files.
  static let expected: [String: ErrorCode] = [
    "bitflip_deflate_0hdr.dng": "tagValueOutsideFile",
    "bitflip_deflate_2data.dng": "deflateDamaged",
    "bitflip_jxl_0hdr.dng": "tagWrongCount",
    "bitflip_jxl_2data.dng": "jpegXLDamaged",
    "bitflip_ljpeg_0hdr.dng": "tagInvalidValue",
    "bitflip_ljpeg_1hdr.dng": "tagWrongType",
    "bitflip_ljpeg_2data.dng": "sampleOutOfRange",
    "bitflip_ljpeg_3data.dng": "sampleOutOfRange",
    "bitflip_lossyjpeg_0hdr.dng": "tagWrongCount",
    "bitflip_lossyjpeg_1hdr.dng": "tagValueOutsideFile",
    "bitflip_lossyjpeg_2data.dng": "profileTableDamaged",
    "bitflip_lossyjpeg_3data.dng": "jpegDamaged",
    "black_ge_white.dng": "blackNotBelowWhite",
    "d1339_ljpeg_trunc1.dng": "byteCountBeyondFile",
    "d1339_ljpeg_trunc25.dng": "byteCountBeyondFile",
    "d1339_ljpeg_trunc50.dng": "byteCountBeyondFile",
    "d1339_ljpeg_trunc90.dng": "byteCountBeyondFile",
    "d1339_ljpeg_trunc99.dng": "byteCountBeyondFile",
    "d1339_unc_trunc1.dng": "byteCountBeyondFile",
    "d1339_unc_trunc25.dng": "byteCountBeyondFile",
    "d1339_unc_trunc50.dng": "byteCountBeyondFile",
    "d1339_unc_trunc90.dng": "byteCountBeyondFile",
    "d1339_unc_trunc99.dng": "byteCountBeyondFile",
    "hero6_lossless_trunc10.dng": "byteCountBeyondFile",
    "hero8_header4k.dng": "tagValueOutsideFile",
    "huge_dims.dng": "rawTooLarge",
    "ifd_loop.dng": "ifdLoop",
    "neutral_zero.dng": "tagInconsistent",
    "random64k.dng": "notTIFF",
    "singular_matrix.dng": "singularMatrix",
    "tiff_header_only.dng": "ifdOutsideFile",
    "zero_bytes.dng": "notTIFF",
    "zero_white.dng": "whiteLevelNotPositive",
    "zeros64k.dng": "notTIFF",
  ]

  @Test("Each mutated DNG ends in the error that names its damage")
  func mutated() throws {
    let names = try Corpus.names("malformed/mutated")
    #expect(names == Self.expected.keys.sorted())
    for name in names {
      let code = try Self.failure("malformed/mutated/\(name)")
      #expect(code == Self.expected[name], "\(name)")
    }
  }

  @Test("Each plain or fuzzed TIFF is refused")
  func plainTIFF() throws {
    let names = try Corpus.names("malformed/tiff")
    #expect(names.count > 200)
    for name in names {
      #expect(try Self.failure("malformed/tiff/\(name)") != nil, "\(name)")
    }
  }

  /// The code of the error that reading ends in, or nil where it doesn't; within 10 s.
  private static func failure(_ path: String) throws -> ErrorCode? {
    let bytes = try Corpus.bytes(path)
    var code: ErrorCode?
    let duration = ContinuousClock().measure {
      do throws(DNGReadError) {
        _ = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 2))
      } catch {
        code = error.code
      }
    }
    #expect(duration < .seconds(10), "\(path)")
    return code
  }
}
