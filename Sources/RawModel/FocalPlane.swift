/// The size of a pixel on the sensor, as Exif states it (FocalPlaneXResolution, 41486, and its kin).
package struct FocalPlane: Equatable, Sendable {
  /// Pixels of the Exif image to a millimetre, along its rows.
  package var pixelsPerMillimetreX: Double
  /// The same along its columns.
  package var pixelsPerMillimetreY: Double
  /// The size of the Exif image (PixelXDimension, PixelYDimension), where the file states it.
  package var imageWidth: Int?
  package var imageHeight: Int?

  package init(
    pixelsPerMillimetreX: Double,
    pixelsPerMillimetreY: Double,
    imageWidth: Int? = nil,
    imageHeight: Int? = nil
  ) {
    self.pixelsPerMillimetreX = pixelsPerMillimetreX
    self.pixelsPerMillimetreY = pixelsPerMillimetreY
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
  }
}
