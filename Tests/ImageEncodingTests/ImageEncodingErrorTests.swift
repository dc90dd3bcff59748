import Diagnostics
import ImageEncoding
import Raster
import Testing

@Suite struct ImageEncodingErrorTests {
  static let table: [(ImageEncodingError, String, Disposition)] = [
    (.pictureShapeInvalid(samplesPerRow: 4, rows: 1), "pictureShapeInvalid", .permanent),
    (
      .pictureTooLarge(format: .heic, size: PixelSize(width: 1, height: 2), limit: 3),
      "pictureTooLarge", .permanent
    ),
    (
      .settingInvalid(name: "threadCount", value: "0", valid: "at least 1"),
      "encoderSettingInvalid", .permanent
    ),
    (.exifBlockInvalid(byteCount: 3, reason: "short"), "exifBlockInvalid", .permanent),
    (.encoderMissing(.libheif, encoder: "HEVC"), "encoderMissing", .fatalWorker),
    (
      .libraryFailed(.libtiff, operation: "strip 3", detail: "no"), "encoderLibraryFailed",
      .permanent
    ),
    (.sink(.outOfSpace(errno: 28, offset: 0)), "outputOutOfSpace", .resource),
    (.sink(.writeFailed(errno: 5, offset: 0)), "outputWriteFailed", .transient),
    (.raster(.allocationRefused(bytes: 1, limit: 0)), "allocationRefused", .resource),
  ]

  @Test(arguments: table)
  func codesAndDispositionsAreStable(
    error: ImageEncodingError,
    code: String,
    disposition: Disposition
  ) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }
}
