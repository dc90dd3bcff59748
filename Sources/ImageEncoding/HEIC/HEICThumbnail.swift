package import Raster

/// Reads HEIC files for people who look them over; what is written is checked by other readers.
package enum HEICThumbnail {
  /// The thumbnail of a file's primary image, or the image itself where it has none: rows of interleaved
  /// RGB of 8 bits, `3 * width` samples, turned and coded as the file says.
  ///
  /// - Throws: `libraryFailed` for what libheif does not read, `raster` where memory was refused.
  package static func read(_ file: [UInt8]) throws(ImageEncodingError) -> Plane<UInt8> {
    try readSmallPicture(file)
  }
}
