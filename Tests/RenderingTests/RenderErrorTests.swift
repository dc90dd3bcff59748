import DNGFormat
import Develop
import Diagnostics
import ImageEncoding
import Raster
import RawDecoding
import Rendering
import Testing

@Suite struct RenderErrorTests {
  static let table: [(RenderError, String, Disposition)] = [
    (.decode(.emptyFile), "emptyFile", .permanent),
    (.develop(.colorMatrixMissing), "colorMatrixMissing", .permanent),
    (
      .develop(.raster(.allocationRefused(bytes: 1, limit: 0))), "allocationRefused", .resource
    ),
    (
      .encode(.sink(.outOfSpace(errno: 28, offset: 0)), outputID: "heic"), "outputOutOfSpace",
      .resource
    ),
    (
      .encode(.sink(.writeFailed(errno: 5, offset: 0)), outputID: "heic"), "outputWriteFailed",
      .transient
    ),
    (
      .encode(.encoderMissing(.libheif, encoder: "HEVC"), outputID: "heic"), "encoderMissing",
      .fatalWorker
    ),
    (
      .write(.unsupportedBitDepth(bitsPerSample: 7, compression: "x"), outputID: "dng"),
      "unsupportedOutputBitDepth", .permanent
    ),
    (.profile(.notProfile, name: "a.dcp"), "profileUnusable", .permanent),
    (
      .profileForOtherCamera(name: "a.dcp", profileCamera: "A", camera: "B"),
      "profileForOtherCamera", .permanent
    ),
    (.sinkCount(expected: 2, found: 1), "sinkCount", .permanent),
  ]

  /// Code and disposition are the cause's, so that a full disk is a full disk at any depth.
  @Test(arguments: table)
  func codesAndDispositionsAreTheCauses(
    error: RenderError,
    code: String,
    disposition: Disposition
  ) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
  }

  @Test func theOutputIsNamed() {
    let cause = ImageEncodingError.sink(.outOfSpace(errno: 28, offset: 5))
    let error = RenderError.encode(cause, outputID: "heic2")
    #expect(error.message == "output heic2: \(cause.message)")
  }
}
