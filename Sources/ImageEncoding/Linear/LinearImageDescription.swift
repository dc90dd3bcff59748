package import Raster

/// What a linear file says of its samples.
package struct LinearImageDescription: Equatable, Sendable {
  package var size: PixelSize
  /// Names of a pixel's samples, one to four, in their order (`R`, `G`, `B`).
  package var channels: [String]
  package var sampleFormat: LinearSampleFormat
  /// Nil for the camera's own colours, which no file format can state.
  package var colorimetry: LinearColorimetry?
  /// The luminance of (1, 1, 1) in cd/m2, where it is known.
  package var whiteLuminance: Double?
  /// One line on what the numbers are, in ASCII.
  package var caption: String

  package init(
    size: PixelSize,
    channels: [String],
    sampleFormat: LinearSampleFormat,
    colorimetry: LinearColorimetry? = nil,
    whiteLuminance: Double? = nil,
    caption: String = ""
  ) {
    self.size = size
    self.channels = channels
    self.sampleFormat = sampleFormat
    self.colorimetry = colorimetry
    self.whiteLuminance = whiteLuminance
    self.caption = caption
  }

  /// Bytes of a row of interleaved samples.
  package var rowByteCount: Int { size.width * channels.count * sampleFormat.byteCount }

  /// - Throws: `pictureShapeInvalid`, or `pictureTooLarge` for sides that the format or its readers do
  ///   not take.
  func validate(_ format: ImageFormat, sideLimit: Int) throws(ImageEncodingError) {
    guard size.width > 0, size.height > 0, (1...4).contains(channels.count) else {
      throw .pictureShapeInvalid(samplesPerRow: size.width * channels.count, rows: size.height)
    }
    guard size.width <= sideLimit, size.height <= sideLimit else {
      throw .pictureTooLarge(format: format, size: size, limit: sideLimit)
    }
  }
}
