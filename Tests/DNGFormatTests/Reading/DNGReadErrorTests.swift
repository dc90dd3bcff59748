internal import DNGFormat
internal import Diagnostics
internal import JPEGCodec
internal import JPEGXLCodec
internal import Raster
internal import TIFFContainer
import Testing

@Suite("Errors of reading DNG")
struct DNGReadErrorTests {
  @Test("Each error has its slug and disposition")
  func table() {
    let site = TIFFTagSite(tag: .activeArea, directory: "IFD 0")
    let table: [(DNGReadError, ErrorCode, Disposition)] = [
      (.container(.notTIFF), "notTIFF", .permanent),
      (.notDNG, "notDNG", .permanent), (.notProfile, "notProfile", .permanent),
      (.unsupported(.colorFilterArray("rgbe")), "unsupportedFeature", .permanent),
      (.noRawImage(found: "IFD 0 preview"), "noRawImage", .permanent),
      (.tooLarge("pixels", value: 2, limit: 1), "rawTooLarge", .permanent),
      (.raster(.allocationRefused(bytes: 2, limit: 1)), "allocationRefused", .resource),
      (.inconsistentTag(site, reason: "is odd"), "tagInconsistent", .permanent),
      (.whiteLevelNotPositive(sample: 0, white: 0), "whiteLevelNotPositive", .permanent),
      (.blackNotBelowWhite(sample: 0, black: 2, white: 1), "blackNotBelowWhite", .permanent),
      (.singularMatrix(site), "singularMatrix", .permanent),
      (.stripsAndTiles(both: true), "stripsAndTiles", .permanent),
      (
        .tileOutsideFile(tile: 0, offset: 1, byteCount: 2, fileSize: 1), "byteCountBeyondFile",
        .permanent
      ),
      (.tileMissing(tile: 0), "tileMissing", .permanent),
      (.tilesOverlap(tile: 1, other: 0), "tilesOverlap", .permanent),
      (.tileByteCount(tile: 0, byteCount: 1, least: 2), "tileByteCount", .permanent),
      (.tilePadding(tile: 0, byteCount: 1, samples: 2), "tilePadding", .permanent),
      (.lossyJPEG(tile: 0, .noFrame), "jpegNoFrame", .permanent),
      (.deflate(tile: 0, .truncated), "deflateTruncated", .permanent),
      (.deflate(tile: 0, .damaged("x")), "deflateDamaged", .permanent),
      (.deflate(tile: 0, .tooShort(byteCount: 1, expected: 2)), "deflateTooShort", .permanent),
      (.deflate(tile: 0, .tooLong(expected: 2)), "deflateTooLong", .permanent),
      (.deflate(tile: 0, .outOfMemory), "outOfMemory", .resource),
      (.jpegXL(tile: 0, .damaged), "jpegXLDamaged", .permanent),
      (.tileSamples(tile: 0, "are half floats"), "tileSamples", .permanent),
      (.losslessJPEG(tile: 0, .entropySurplus(bits: 8)), "entropySurplus", .permanent),
      (
        .digestMismatch(tag: "NewRawImageDigest (51111)", stated: "00", computed: "01"),
        "rawDigestMismatch", .permanent
      ),
      (.opcodeList(site, reason: "ends"), "opcodeListDamaged", .permanent),
      (.opcode(site, index: 2, id: 9, .emptyArea), "opcodeDamaged", .permanent),
      (.profileTable(site, reason: "ends"), "profileTableDamaged", .permanent),
      (.exifBlock(.fileTooLarge(byteCount: 2, limit: 1)), "fileTooLarge", .permanent),
    ]
    for (error, code, disposition) in table {
      #expect(error.code == code)
      #expect(error.disposition == disposition)
      #expect(!error.message.isEmpty)
    }
  }

  @Test("Each error of lossless JPEG has its slug")
  func losslessJPEG() {
    let table: [(LosslessJPEGError, ErrorCode)] = [
      (.noStartOfImage, "jpegNoStart"),
      (.truncatedHeader(offset: 1), "jpegTruncatedHeader"),
      (.markerExpected(offset: 1), "jpegMarkerExpected"),
      (.unexpectedMarker(0xD9, offset: 1), "jpegUnexpectedMarker"),
      (.segmentLength(marker: 0xC4, offset: 1), "jpegSegmentLength"),
      (.otherProcess(marker: 0xC0), "jpegOtherProcess"),
      (.invalidField("precision", value: 1), "jpegInvalidField"),
      (.sampleCount(frame: 1, tile: 2), "jpegSampleCount"),
      (.invalidHuffmanTable(0), "jpegInvalidHuffmanTable"),
      (.missingHuffmanTable(0), "jpegMissingHuffmanTable"),
      (.invalidCode(row: 1), "entropyInvalidCode"),
      (.entropyExhausted(row: 1), "entropyExhausted"),
      (.entropySurplus(bits: 9), "entropySurplus"),
      (.missingEndMarker, "jpegMissingEnd"),
      (.trailingData(byteCount: 1), "jpegTrailingData"),
      (.sampleOutOfRange(row: 1, precision: 8), "sampleOutOfRange"),
    ]
    for (error, code) in table {
      #expect(error.code == code)
      #expect(error.disposition == .permanent)
      #expect(!error.message.isEmpty)
    }
  }

  @Test("An unsupported feature is named")
  func unsupported() {
    let message = DNGReadError.unsupported(.compression(.jpegXL)).message
    #expect(
      DNGReadError.unsupported(.opcode(list: 3, id: 99, version: DNGVersion(1, 3))).message
        == "the DNG uses opcode 99 of DNG 1.3.0.0 in OpcodeList3, which may not be left out, which is not "
        + "supported yet"
    )
    #expect(message == "the DNG uses JPEG XL (52546) compression, which is not supported yet")
  }
}
