internal import RawModel

/// What the file says of the camera and the moment.
package struct CameraInformation: Equatable, Sendable {
  package var make: String?
  package var model: String?
  package var uniqueCameraModel: String?
  package var lensModel: String?
  package var isoSpeed: Int?
  /// As written: `YYYY:MM:DD HH:MM:SS`, local time.
  package var dateTimeOriginal: String?

  package init(
    make: String? = nil,
    model: String? = nil,
    uniqueCameraModel: String? = nil,
    lensModel: String? = nil,
    isoSpeed: Int? = nil,
    dateTimeOriginal: String? = nil
  ) {
    self.make = make
    self.model = model
    self.uniqueCameraModel = uniqueCameraModel
    self.lensModel = lensModel
    self.isoSpeed = isoSpeed
    self.dateTimeOriginal = dateTimeOriginal
  }

  init(_ capture: CaptureMetadata) {
    self.init(
      make: capture.make,
      model: capture.model,
      uniqueCameraModel: capture.uniqueCameraModel,
      lensModel: capture.lensModel,
      isoSpeed: capture.isoSpeed,
      dateTimeOriginal: capture.dateTimeOriginal
    )
  }
}
