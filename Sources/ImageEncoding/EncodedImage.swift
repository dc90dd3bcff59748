package import Raster

/// What an encoder wrote.
package struct EncodedImage: Equatable, Sendable {
  package var byteCount: Int
  /// As another decoder shows it.
  package var size: PixelSize
  package var format: ImageFormat
  package var colorSpace: EncodedColorSpace
  /// Bits a channel.
  package var bitDepth: Int
  /// The libraries that had a part in the bytes.
  package var libraries: [LibraryVersion]

  package init(
    byteCount: Int,
    size: PixelSize,
    format: ImageFormat,
    colorSpace: EncodedColorSpace,
    bitDepth: Int,
    libraries: [LibraryVersion]
  ) {
    self.byteCount = byteCount
    self.size = size
    self.format = format
    self.colorSpace = colorSpace
    self.bitDepth = bitDepth
    self.libraries = libraries
  }
}
