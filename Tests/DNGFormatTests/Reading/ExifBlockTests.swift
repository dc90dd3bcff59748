internal import DNGFormat
internal import RawModel
internal import TIFFContainer
internal import TestSupport
import Testing

@Suite("Capture data")
struct ExifBlockTests {
  @Test("The block keeps capture data, not the raw's tags; Orientation is 1")
  func handmade() throws {
    var exif = IFDBuilder()
    exif.set(.exposureTime, rationals: [TIFFRational(1, 250)])
    exif.set(.photographicSensitivity, short: 400)
    exif.set(.dateTimeOriginal, ascii: "2026:01:02 03:04:05")
    exif.set(.lensModel, ascii: "50mm")
    exif.set(.makerNote, undefined: Array(repeating: 1, count: 100))
    exif.set(.pixelXDimension, long: 8)
    var gps = IFDBuilder()
    gps.set(.gpsLatitudeRef, ascii: "N")
    for order in [TIFFByteOrder.littleEndian, .bigEndian] {
      var dng = HandmadeDNG()
      dng.byteOrder = order
      dng.main.set(.orientation, short: 6)
      dng.main.set(.make, ascii: "Maker")
      dng.main.set(.artist, ascii: "Someone")
      dng.main.set(.fNumber, rationals: [TIFFRational(28, 10)])
      dng.main.set(.exifIFD, directories: [exif])
      dng.main.set(.gpsIFD, directories: [gps])
      let capture = try DNGReader.inspect(dng.bytes()).capture
      #expect(capture.make == "Maker")
      #expect(capture.uniqueCameraModel == "Handmade")
      #expect(capture.isoSpeed == 400)
      #expect(capture.exposureTimeSeconds == 1.0 / 250)
      #expect(capture.fNumber == 2.8)
      #expect(capture.dateTimeOriginal == "2026:01:02 03:04:05")
      #expect(capture.lensModel == "50mm")

      let file = try TIFFFile(try #require(capture.exifBlock))
      let main = try #require(try file.imageDirectories().first)
      #expect(try main.text(.make) == "Maker")
      #expect(try main.text(.artist) == "Someone")
      #expect(try main.integer(.orientation) == 1)
      #expect(try main.number(.xResolution) == 72)
      #expect(!main.has(.dngVersion) && !main.has(.imageWidth) && !main.has(.stripOffsets))
      let block = try #require(try file.directory(.exifIFD, of: main, named: "Exif IFD"))
      #expect(try block.number(.exposureTime) == 1.0 / 250)
      #expect(try block.number(.fNumber) == 2.8)
      #expect(try block.text(.lensModel) == "50mm")
      #expect(!block.has(.makerNote) && !block.has(.pixelXDimension))
      let place = try #require(try file.directory(.gpsIFD, of: main, named: "GPS IFD"))
      #expect(try place.text(.gpsLatitudeRef) == "N")
    }
  }

  @Test("A GoPro's Exif and GPS", .enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func corpus() throws {
    let inspection = try DNGReader.inspect(Corpus.bytes("photos/hero6_lossless.dng"))
    // As exiftool 12.57 prints them.
    #expect(inspection.capture.model == "HERO6 Black")
    #expect(inspection.capture.isoSpeed == 100)
    #expect(inspection.capture.fNumber == 2.8)
    #expect(inspection.capture.focalLengthMillimetres == 3)
    #expect(inspection.orientation == .upMirrored)
    #expect(inspection.color.calibrations.map(\.illuminant) == [3, 23])
    #expect(inspection.rawImageDigest == "2ad0cc5c388c0c91434fd84c2ddd7900")
    #expect(inspection.opcodeList2.count == 4)
    let file = try TIFFFile(try #require(inspection.capture.exifBlock))
    let main = try #require(try file.imageDirectories().first)
    let gps = try #require(try file.directory(.gpsIFD, of: main, named: "GPS IFD"))
    let latitude = try #require(try gps.numbers(.gpsLatitude, count: 3...3))
    #expect(abs(latitude[0] + latitude[1] / 60 + latitude[2] / 3600 - 33.126891) < 1e-5)
  }
}
