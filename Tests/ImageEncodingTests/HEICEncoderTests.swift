import Digest
import FileSystem
import ImageEncoding
import JSON
import Raster
import TestSupport
import Testing

@Suite struct HEICEncoderTests {
  private static func encode(
    width: Int,
    height: Int,
    settings: HEICSettings = HEICSettings(),
    metadata: ImageMetadata = ImageMetadata()
  ) throws -> (file: [UInt8], image: EncodedImage) {
    let sink = MemorySink()
    let image = try HEICEncoder.encode(
      try TestPicture.photograph(width: width, height: height),
      settings: settings,
      metadata: metadata,
      to: sink
    )
    return (sink.bytes, image)
  }

  @Test func reportsWhatItWrote() throws {
    let (file, image) = try Self.encode(width: 400, height: 300)
    #expect(image.byteCount == file.count)
    #expect(image.size == PixelSize(width: 400, height: 300))
    #expect(image.format == .heic && image.bitDepth == 8 && image.colorSpace == .displayP3)
    #expect(image.libraries.map(\.name) == ["libheif", "x265", "lcms2"])
    #expect(image.libraries.allSatisfy { $0.version.contains(".") })
  }

  /// Each image item has exactly one ICC profile and one nclx, which agree; none is turned.
  @Test func profilesStandBesideEachOther() throws {
    let (file, _) = try Self.encode(width: 400, height: 300)
    let boxes = HEIFBoxes(file)
    let colors = boxes.contents(of: "colr")
    let profile = try ICCProfile(.displayP3).bytes
    // 12 Display P3, 13 sRGB curve, 6 BT.601, full range.
    let nclx = Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80]
    let icc = Array("prof".utf8) + profile
    #expect(colors == [icc, nclx, icc, nclx])
    for type in ["irot", "imir", "clap"] { #expect(boxes.contents(of: type).isEmpty) }
    // The thumbnail (item 2) refers to the picture (item 1).
    #expect(boxes.contents(of: "thmb") == [[0, 2, 0, 1, 0, 1]])
  }

  @Test func anyPoolGivesTheSameBytes() throws {
    let one = try Self.encode(width: 700, height: 500, settings: HEICSettings(threadCount: 1)).file
    let two = try Self.encode(width: 700, height: 500, settings: HEICSettings(threadCount: 2)).file
    let five = try Self.encode(width: 700, height: 500, settings: HEICSettings(threadCount: 5)).file
    #expect(one == two && two == five)
  }

  @Test func qualityAndThumbnailAreHeard() throws {
    let fine = try Self.encode(width: 640, height: 480, settings: HEICSettings(quality: 1)).file
    let usual = try Self.encode(width: 640, height: 480).file
    let coarse = try Self.encode(width: 640, height: 480, settings: HEICSettings(quality: 0.5)).file
    let none = try Self.encode(
      width: 640,
      height: 480,
      settings: HEICSettings(thumbnailLongEdge: nil)
    ).file
    #expect(fine.count > usual.count && usual.count > coarse.count)
    #expect(none.count < usual.count)
    #expect(HEIFBoxes(none).contents(of: "thmb").isEmpty)
  }

  /// Sizes that HEVC can't code as they are: another decoder shows them to the pixel.
  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [
      (1, 1), (2, 2), (3, 1), (1, 7), (15, 17), (64, 64), (65, 63), (333, 1), (400, 301),
      (641, 481),
    ]
  )
  func anySizeIsShownExactly(width: Int, height: Int) throws {
    let (file, _) = try Self.encode(width: width, height: height)
    let report = try Self.inspect(file)
    #expect(report["size"] == [.integer(Int64(width)), .integer(Int64(height))])
    #expect(report["decodedShape"] == [.integer(Int64(height)), .integer(Int64(width)), 3])
    #expect(report["images"] == 1)
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func anotherDecoderSeesPixelsProfileAndExif() throws {
    let exif = try makeExifBlock()
    let (file, _) = try Self.encode(
      width: 1200,
      height: 801,
      metadata: ImageMetadata(exifBlock: exif)
    )
    let picture = try TestPicture.photograph(width: 1200, height: 801)
    let report = try Self.inspect(file, original: TestPicture.bytes(of: picture))
    #expect(
      report["iccSHA256"]?.stringValue
        == SHA256.digest(of: try ICCProfile(.displayP3).bytes).hex
    )
    #expect(report["exif"]?.stringValue == exif.map(Self.hex).joined())
    #expect(report["thumbnails"] == [320])
    #expect(report["bitDepth"] == 8)
    let psnr = try #require(report["psnr"]?.doubleValue)
    let psnrLuma = try #require(report["psnrLuma"]?.doubleValue)
    #expect(psnr >= 42, "PSNR \(psnr)")
    #expect(psnrLuma >= 46, "PSNR of luma \(psnrLuma)")
  }

  /// Flat saturated colours come back within the codec's error: the matrix is the tagged one.
  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [
      [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [200, 30, 90],
    ]
  )
  func colorsComeBack(color: [UInt8]) throws {
    var plane = try Plane<UInt8>(width: 3 * 96, height: 80)
    for y in 0..<80 {
      plane.withMutableRow(y) { row in
        for index in 0..<row.count { row[index] = color[index % 3] }
      }
    }
    let original = TestPicture.bytes(of: plane)
    let sink = MemorySink()
    _ = try HEICEncoder.encode(
      plane,
      settings: HEICSettings(),
      metadata: ImageMetadata(),
      to: sink
    )
    let report = try Self.inspect(sink.bytes, original: original)
    let psnr = try #require(report["psnr"]?.doubleValue)
    #expect(psnr >= 44, "PSNR \(psnr)")
  }

  @Test(arguments: [false, true])
  func sinkFailuresAreTyped(isFull: Bool) throws {
    let sink = isFull ? MemorySink(byteLimit: 1000) : MemorySink(failingWrite: 0)
    let expected: ByteSinkError =
      isFull ? .outOfSpace(errno: 28, offset: 0) : .writeFailed(errno: 5, offset: 0)
    let error = #expect(throws: ImageEncodingError.self) {
      try HEICEncoder.encode(
        try TestPicture.photograph(width: 300, height: 200),
        settings: HEICSettings(),
        metadata: ImageMetadata(),
        to: sink
      )
    }
    #expect(error == .sink(expected))
  }

  @Test func whatCannotBeEncodedIsRefused() throws {
    let sink = MemorySink()
    func refusal(
      _ picture: consuming Plane<UInt8>,
      _ settings: HEICSettings = HEICSettings(),
      _ exif: [UInt8]? = nil
    ) -> ImageEncodingError? {
      do throws(ImageEncodingError) {
        _ = try HEICEncoder.encode(
          picture,
          settings: settings,
          metadata: ImageMetadata(exifBlock: exif),
          to: sink
        )
        return nil
      } catch {
        return error
      }
    }
    #expect(
      refusal(try Plane(width: 3 * 16385, height: 1))
        == .pictureTooLarge(
          format: .heic,
          size: PixelSize(width: 16385, height: 1),
          limit: 16384
        )
    )
    #expect(
      refusal(try Plane(width: 0, height: 0)) == .pictureShapeInvalid(samplesPerRow: 0, rows: 0)
    )
    #expect(
      refusal(try Plane(width: 4, height: 1)) == .pictureShapeInvalid(samplesPerRow: 4, rows: 1)
    )
    #expect(
      refusal(try Plane(width: 3, height: 1), HEICSettings(threadCount: 0))
        == .settingInvalid(name: "threadCount", value: "0", valid: "at least 1")
    )
    #expect(
      refusal(try Plane(width: 3, height: 1), HEICSettings(), [1, 2, 3])
        == .exifBlockInvalid(byteCount: 3, reason: "no TIFF header")
    )
    #expect(sink.writeCount == 0)
  }

  private static func inspect(_ file: [UInt8], original: [UInt8]? = nil) throws -> JSONValue {
    let folder = try TemporaryDirectory()
    let path = try folder.write(file, to: "picture.heic")
    var arguments = ["heic", path.description]
    if let original { arguments.append(try folder.write(original, to: "original").description) }
    return try JSONParser.parse(
      OraclePython.run("encoded_image.py", arguments: arguments)
    )
  }

  private static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }
}
