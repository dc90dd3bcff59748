import Digest
import FileSystem
import ImageEncoding
import JSON
import Raster
import TIFFContainer
import TestSupport
import Testing

@Suite struct TIFFEncoderTests {
  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [(1, 1), (3, 5), (700, 401)],
    [TIFFSettings.Compression.none, .deflate]
  )
  func sixteenBitSamplesComeBack(
    size: (Int, Int),
    compression: TIFFSettings.Compression
  ) throws {
    let picture = try TestPicture.noise(UInt16.self, width: size.0, height: size.1)
    let samples = TestPicture.bytes(of: picture)
    let sink = MemorySink()
    let image = try TIFFEncoder.encode(
      picture,
      settings: TIFFSettings(compression: compression),
      metadata: ImageMetadata(),
      to: sink
    )
    #expect(image.byteCount == sink.bytes.count)
    #expect(image.size == PixelSize(width: size.0, height: size.1))
    #expect(image.format == .tiff && image.bitDepth == 16)
    #expect(image.libraries.map(\.name) == ["libtiff", "lcms2"])
    let report = try Self.inspect(sink.bytes)
    #expect(report["shape"] == [.integer(Int64(size.1)), .integer(Int64(size.0)), 3])
    #expect(report["type"] == "uint16")
    #expect(report["byteOrder"] == "<")
    #expect(report["pages"] == 1)
    #expect(report["samplesSHA256"]?.stringValue == SHA256.digest(of: samples).hex)
    #expect(
      report["iccSHA256"]?.stringValue
        == SHA256.digest(of: try ICCProfile(.displayP3).bytes).hex
    )
    #expect(report["tags"]?["Software"] == "rawmill")
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func eightBitSamplesComeBack() throws {
    let picture = try TestPicture.noise(UInt8.self, width: 333, height: 200)
    let samples = TestPicture.bytes(of: picture)
    let sink = MemorySink()
    _ = try TIFFEncoder.encode(
      picture,
      settings: TIFFSettings(),
      metadata: ImageMetadata(),
      to: sink
    )
    let report = try Self.inspect(sink.bytes)
    #expect(report["type"] == "uint8")
    #expect(report["samplesSHA256"]?.stringValue == SHA256.digest(of: samples).hex)
  }

  /// Rationals and the maker note come through unchanged, whatever the block's byte order.
  @Test(arguments: [TIFFByteOrder.littleEndian, .bigEndian])
  func captureIsCarried(byteOrder: TIFFByteOrder) throws {
    let sink = MemorySink()
    _ = try TIFFEncoder.encode(
      try TestPicture.noise(UInt16.self, width: 4, height: 4),
      settings: TIFFSettings(),
      metadata: ImageMetadata(exifBlock: try makeExifBlock(byteOrder: byteOrder)),
      to: sink
    )
    let file = try TIFFFile(sink.bytes)
    let first = try file.directory(at: file.firstDirectoryOffset, named: "IFD 0")
    #expect(first.nextOffset == 0)
    #expect(try first.text(.make) == "Example")
    #expect(try first.text(.model) == "Camera One")
    #expect(try first.text(.dateTime) == "2024:05:06 07:08:10")
    let exif = try #require(try file.directory(.exifIFD, of: first, named: "Exif"))
    let exposure = try #require(try exif.entry(.exposureTime))
    #expect(
      try exif.storedBytes(of: exposure, limit: 100) == [10, 0, 0, 0, 0xC4, 0x09, 0, 0]
    )
    #expect(try exif.integer(.photographicSensitivity) == 640)
    #expect(try exif.text(.lensModel) == "Test Lens 50mm f/2.8")
    #expect(try exif.text(.dateTimeOriginal) == "2024:05:06 07:08:09")
    #expect(try exif.bytes(.makerNote, limit: 100) == [1, 2, 3, 4, 5, 6, 7])
    let gps = try #require(try file.directory(.gpsIFD, of: first, named: "GPS"))
    #expect(try gps.numbers(.gpsLatitude, count: 3...3) == [52, 30, 12.34])
  }

  @Test func sameBytesEachTime() throws {
    func encode() throws -> [UInt8] {
      let sink = MemorySink()
      _ = try TIFFEncoder.encode(
        try TestPicture.noise(UInt16.self, width: 50, height: 50),
        settings: TIFFSettings(compression: .deflate),
        metadata: ImageMetadata(exifBlock: try makeExifBlock()),
        to: sink
      )
      return sink.bytes
    }
    #expect(try encode() == encode())
  }

  /// Every single write fails once, with and without Exif at the start: always the sink's error.
  @Test(arguments: [false, true])
  func everyFailedWriteIsTyped(hasExif: Bool) throws {
    let metadata = ImageMetadata(exifBlock: hasExif ? try makeExifBlock() : nil)
    func encode(to sink: MemorySink) throws(ImageEncodingError) {
      let picture: Plane<UInt8>
      do throws(RasterError) {
        picture = try Plane<UInt8>(width: 3 * 1000, height: 700)
      } catch {
        throw .raster(error)
      }
      _ = try TIFFEncoder.encode(picture, settings: TIFFSettings(), metadata: metadata, to: sink)
    }
    let whole = MemorySink()
    try encode(to: whole)
    #expect(whole.writeCount >= 5)
    for index in 0..<whole.writeCount {
      let sink = MemorySink(failingWrite: index)
      let error = #expect(throws: ImageEncodingError.self) { try encode(to: sink) }
      guard case .sink(.writeFailed(errno: 5, offset: _)) = error else {
        Issue.record("write \(index): \(String(describing: error))")
        continue
      }
    }
    for limit in stride(from: 0, to: whole.bytes.count, by: 199_999) {
      let error = #expect(throws: ImageEncodingError.self) {
        try encode(to: MemorySink(byteLimit: limit))
      }
      guard case .sink(.outOfSpace(errno: 28, offset: _)) = error else {
        Issue.record("limit \(limit): \(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: [
    [0x49, 0x49, 42, 0, 8, 0, 0, 0], [0x49, 0x49, 42, 0, 200, 0, 0, 0], [1, 2],
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0],
  ])
  func damagedExifIsRefused(block: [UInt8]) throws {
    let sink = MemorySink()
    let error = #expect(throws: ImageEncodingError.self) {
      try TIFFEncoder.encode(
        try TestPicture.noise(UInt8.self, width: 4, height: 4),
        settings: TIFFSettings(),
        metadata: ImageMetadata(exifBlock: block),
        to: sink
      )
    }
    guard case .exifBlockInvalid = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(sink.writeCount == 0)
  }

  private static func inspect(_ file: [UInt8]) throws -> JSONValue {
    let folder = try TemporaryDirectory()
    let path = try folder.write(file, to: "picture.tiff")
    return try JSONParser.parse(
      OraclePython.run("encoded_image.py", arguments: ["tiff", path.description])
    )
  }
}
