internal import DNGFormat
internal import RawModel
internal import TIFFContainer

/// What the sample files say of camera, lens, moment and place.
enum SampleCapture {
  private static let make = "rawmill"
  private static let model = "Sample Camera"
  private static let lens = "rawmill Sample 35mm F2"
  private static let isoSpeed: UInt16 = 200
  private static let date = "2026:06:21 12:30:00"

  static var metadata: CaptureMetadata {
    CaptureMetadata(
      make: make,
      model: model,
      uniqueCameraModel: "\(make) \(model)",
      lensModel: lens,
      isoSpeed: Int(isoSpeed),
      dateTimeOriginal: date
    )
  }

  static func dngMetadata(noise: SensorNoise) -> DNGMetadata {
    DNGMetadata(
      software: "rawmill sample",
      dateTime: date,
      exif: exif,
      gps: gps,
      noiseProfile: (scale: noise.scale, offset: noise.offset)
    )
  }

  private static var exif: IFDBuilder {
    var exif = IFDBuilder()
    exif.set(.exifVersion, undefined: Array("0232".utf8))
    exif.set(.exposureTime, rationals: [TIFFRational(1, 250)])
    exif.set(.fNumber, rationals: [TIFFRational(56, 10)])
    exif.set(.exposureProgram, short: 1)
    exif.set(.photographicSensitivity, short: isoSpeed)
    exif.set(.sensitivityType, short: 2)
    exif.set(.recommendedExposureIndex, long: UInt32(isoSpeed))
    exif.set(.dateTimeOriginal, ascii: date)
    exif.set(.dateTimeDigitized, ascii: date)
    exif.set(.offsetTime, ascii: "+01:00")
    exif.set(.offsetTimeOriginal, ascii: "+01:00")
    exif.set(.offsetTimeDigitized, ascii: "+01:00")
    exif.set(.focalLength, rationals: [TIFFRational(35, 1)])
    exif.set(.focalLengthIn35mmFilm, short: 35)
    exif.set(
      .lensSpecification,
      rationals: [
        TIFFRational(35, 1), TIFFRational(35, 1), TIFFRational(2, 1), TIFFRational(2, 1),
      ]
    )
    exif.set(.lensMake, ascii: make)
    exif.set(.lensModel, ascii: lens)
    return exif
  }

  /// The Royal Observatory in Greenwich.
  private static var gps: IFDBuilder {
    var gps = IFDBuilder()
    gps.set(.gpsVersionID, bytes: [2, 3, 0, 0])
    gps.set(.gpsLatitudeRef, ascii: "N")
    gps.set(
      .gpsLatitude,
      rationals: [TIFFRational(51, 1), TIFFRational(28, 1), TIFFRational(4012, 100)]
    )
    gps.set(.gpsLongitudeRef, ascii: "W")
    gps.set(
      .gpsLongitude,
      rationals: [TIFFRational(0, 1), TIFFRational(0, 1), TIFFRational(531, 100)]
    )
    gps.set(.gpsAltitudeRef, bytes: [0])
    gps.set(.gpsAltitude, rationals: [TIFFRational(46, 1)])
    gps.set(
      .gpsTimeStamp,
      rationals: [TIFFRational(11, 1), TIFFRational(30, 1), TIFFRational(0, 1)]
    )
    gps.set(.gpsDateStamp, ascii: "2026:06:21")
    return gps
  }
}
