internal import Raster

/// The size in pixels of a plane of interleaved RGB.
func rgbSize<Sample: BitwiseCopyable>(
  of picture: borrowing Plane<Sample>
) throws(ImageEncodingError) -> PixelSize {
  guard picture.width > 0, picture.width % 3 == 0, picture.height > 0 else {
    throw .pictureShapeInvalid(samplesPerRow: picture.width, rows: picture.height)
  }
  return PixelSize(width: picture.width / 3, height: picture.height)
}

extension ImageMetadata {
  /// The largest Exif block that is written: libheif takes lengths as `int`, and no camera's Exif
  /// with its maker note comes near.
  private static var exifByteLimit: Int { 64 << 20 }

  /// - Throws: `exifBlockInvalid` for a block that is no TIFF structure or beyond the limit.
  func validate() throws(ImageEncodingError) {
    guard let block = exifBlock else { return }
    guard block.count <= Self.exifByteLimit else {
      throw .exifBlockInvalid(
        byteCount: block.count,
        reason: "more than \(Self.exifByteLimit) bytes"
      )
    }
    let signature = Array(block.prefix(4))
    guard block.count >= 8, signature == [0x49, 0x49, 42, 0] || signature == [0x4D, 0x4D, 0, 42]
    else { throw .exifBlockInvalid(byteCount: block.count, reason: "no TIFF header") }
  }
}
