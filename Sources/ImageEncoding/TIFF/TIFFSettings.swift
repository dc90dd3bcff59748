/// How a TIFF file is written.
package struct TIFFSettings: Equatable, Sendable {
  /// How strips are compressed; both are lossless.
  package enum Compression: Equatable, Sendable {
    /// As they are: as fast as the disk. The default, because photographs with sensor noise shrink by
    /// a tenth in 16 bit, for seconds of Deflate.
    case none
    /// Deflate (Adobe's 8) with horizontal differencing.
    case deflate
  }

  package var colorSpace: EncodedColorSpace
  package var compression: Compression

  package init(colorSpace: EncodedColorSpace = .displayP3, compression: Compression = .none) {
    self.colorSpace = colorSpace
    self.compression = compression
  }
}
