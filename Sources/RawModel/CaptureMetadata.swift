/// What the file says of the camera and the moment, for reports and for the outputs' Exif.
package struct CaptureMetadata: Equatable, Sendable {
  package var make: String?
  package var model: String?
  package var uniqueCameraModel: String?
  package var lensModel: String?
  package var isoSpeed: Int?
  /// DateTimeOriginal as written (`YYYY:MM:DD HH:MM:SS`, local time).
  package var dateTimeOriginal: String?
  package var exposureTimeSeconds: Double?
  package var fNumber: Double?
  package var focalLengthMillimetres: Double?
  /// What a lens on a 35 mm frame would have for the same angle of view, in millimetres.
  package var focalLengthIn35mmFilm: Double?
  package var focalPlane: FocalPlane?
  /// The program that wrote the file, as written (Software, 305).
  package var software: String?
  /// A complete TIFF structure with IFD0, Exif and GPS as the outputs carry them: capture data, lens,
  /// GPS and dates kept, Orientation 1.
  ///
  /// It starts with `II*` or `MM*`.
  package var exifBlock: [UInt8]?

  package init(
    make: String? = nil,
    model: String? = nil,
    uniqueCameraModel: String? = nil,
    lensModel: String? = nil,
    isoSpeed: Int? = nil,
    dateTimeOriginal: String? = nil,
    exposureTimeSeconds: Double? = nil,
    fNumber: Double? = nil,
    focalLengthMillimetres: Double? = nil,
    focalLengthIn35mmFilm: Double? = nil,
    focalPlane: FocalPlane? = nil,
    software: String? = nil,
    exifBlock: [UInt8]? = nil
  ) {
    self.make = make
    self.model = model
    self.uniqueCameraModel = uniqueCameraModel
    self.lensModel = lensModel
    self.isoSpeed = isoSpeed
    self.dateTimeOriginal = dateTimeOriginal
    self.exposureTimeSeconds = exposureTimeSeconds
    self.fNumber = fNumber
    self.focalLengthMillimetres = focalLengthMillimetres
    self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
    self.focalPlane = focalPlane
    self.software = software
    self.exifBlock = exifBlock
  }
}
