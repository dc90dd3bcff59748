import TIFFContainer

/// An Exif block as raws give it: camera, exposure, lens, date and place.
func makeExifBlock(byteOrder: TIFFByteOrder = .littleEndian) throws -> [UInt8] {
  var exif = IFDBuilder()
  exif.set(.exposureTime, rationals: [TIFFRational(10, 2500)])
  exif.set(.fNumber, rationals: [TIFFRational(28, 10)])
  exif.set(.photographicSensitivity, short: 640)
  exif.set(.dateTimeOriginal, ascii: "2024:05:06 07:08:09")
  exif.set(.lensModel, ascii: "Test Lens 50mm f/2.8")
  exif.set(.makerNote, undefined: [1, 2, 3, 4, 5, 6, 7])
  var gps = IFDBuilder()
  gps.set(.gpsLatitudeRef, ascii: "N")
  gps.set(
    .gpsLatitude,
    rationals: [
      TIFFRational(52, 1), TIFFRational(30, 1),
      TIFFRational(1234, 100),
    ]
  )
  var first = IFDBuilder()
  first.set(.make, ascii: "Example")
  first.set(.model, ascii: "Camera One")
  first.set(.orientation, short: 1)
  first.set(.dateTime, ascii: "2024:05:06 07:08:10")
  first.set(.exifIFD, directories: [exif])
  first.set(.gpsIFD, directories: [gps])
  return try TIFFWriter.serialize([first], byteOrder: byteOrder)
}
