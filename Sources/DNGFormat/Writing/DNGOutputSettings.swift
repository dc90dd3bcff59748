/// How a raw is written anew.
package struct DNGOutputSettings: Equatable, Sendable {
  package enum Compression: String, CaseIterable, Sendable {
    case losslessJPEG
    case none
    case deflate
    case jpegXL
    case lossyJPEG
  }

  package enum BitDepth: Equatable, Sendable {
    /// The source's.
    case source
    /// 8 to 16.
    case integer(Int)
    case float16
    case float32
  }

  /// Which codes there are for how much light.
  package enum Curve: String, CaseIterable, Sendable {
    /// The source's, as long as the bit depth has room for it; `squareRoot` otherwise.
    case source
    /// Steps in proportion to the noise.
    case squareRoot
    /// Steps of one size.
    case linear
  }

  package var compression: Compression
  package var bitDepth: BitDepth
  package var curve: Curve
  /// 1 is lossless; less where the compression can be lossy.
  package var quality: Double
  /// Names the program (Software, 305).
  package var software: String
  /// Set as OriginalRawFileName (50827) where the source has none.
  package var originalFileName: String?

  package init(
    compression: Compression = .losslessJPEG,
    bitDepth: BitDepth = .source,
    curve: Curve = .source,
    quality: Double = 1,
    software: String,
    originalFileName: String? = nil
  ) {
    self.compression = compression
    self.bitDepth = bitDepth
    self.curve = curve
    self.quality = quality
    self.software = software
    self.originalFileName = originalFileName
  }
}
