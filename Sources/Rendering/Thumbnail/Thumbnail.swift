internal import JPEGCodec
package import Raster

/// A small JPEG in sRGB, for people who look over many pictures.
package struct Thumbnail: Equatable, Sendable {
  /// The most bytes of one.
  package static let byteLimit = 24_000
  /// Tried in turn, on libjpeg's scale: noise takes many bytes.
  private static let qualities = [80, 60, 40, 20]

  /// As people see it.
  package let size: PixelSize
  package let jpeg: [UInt8]

  /// Encodes a picture of that size, at the best quality that keeps within the limit.
  init(_ picture: PreviewPicture) throws(ThumbnailError) {
    var byteCount = 0
    for quality in Self.qualities {
      let jpeg: [UInt8]
      do throws(JPEGError) {
        jpeg = try picture.jpeg(quality: quality)
      } catch {
        throw .jpeg(error)
      }
      if jpeg.count <= Self.byteLimit {
        size = picture.size
        self.jpeg = jpeg
        return
      }
      byteCount = jpeg.count
    }
    throw .tooManyBytes(count: byteCount, limit: Self.byteLimit)
  }
}
