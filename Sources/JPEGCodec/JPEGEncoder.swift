package import Raster

/// Encodes baseline JPEGs of 8 bits with optimal Huffman tables.
package enum JPEGEncoder {
  /// How three components are coded.
  package enum Color: Sendable {
    /// As they are, at full resolution, with a marker that says so: tiles of raw data.
    case asGiven
    /// RGB as YCbCr at full resolution.
    case yCbCr444
    /// RGB as YCbCr with chroma at half the resolution both ways.
    case yCbCr420
  }

  /// Encodes a whole picture; the bytes are the same on every machine.
  ///
  /// - Parameters:
  ///   - samples: Rows of interleaved samples.
  ///   - size: Each side is 1 to 65,500.
  ///   - stride: Samples from a row to the next.
  ///   - components: 1 or 3; one component is coded as it is.
  ///   - quality: 0 to 100 on libjpeg's scale.
  ///   - color: How three components are coded.
  /// - Returns: The stream.
  /// - Throws: `JPEGError.encoding`.
  package static func encode(
    _ samples: Span<UInt8>,
    size: PixelSize,
    stride: Int,
    components: Int,
    quality: Int,
    color: Color
  ) throws(JPEGError) -> [UInt8] {
    // libjpeg's JPEG_MAX_DIMENSION.
    let sides = 1...65_500
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw .encoding("\(size) pixels; each side must be 1 to 65500")
    }
    guard components == 1 || components == 3, stride >= size.width * components,
      samples.count >= stride * (size.height - 1) + size.width * components
    else {
      throw .encoding("\(components) components, a stride of \(stride)")
    }
    return try LibJPEG.encode(
      samples,
      size: size,
      stride: stride,
      components: components,
      quality: min(100, max(0, quality)),
      color: color
    )
  }
}
