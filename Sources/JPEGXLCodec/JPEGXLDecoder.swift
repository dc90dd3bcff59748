package import Raster

/// Decodes single pictures of JPEG XL, bare or in a container, as tiles of a DNG are.
package enum JPEGXLDecoder {
  /// Decodes a whole stream of a known shape on the calling thread.
  ///
  /// The picture's size is checked before memory for it is taken.
  ///
  /// - Parameters:
  ///   - bytes: The stream.
  ///   - size: What the picture must have.
  ///   - channels: Colour channels that the picture must have, 1 or 3.
  ///   - samples: Gets `size.height` rows of interleaved samples: the very integers that the stream
  ///     codes, or the bits of half floats. What stood there is lost.
  /// - Returns: What the samples are.
  /// - Throws: `JPEGXLError`.
  package static func decode(
    _ bytes: Span<UInt8>,
    size: PixelSize,
    channels: Int,
    into samples: inout [UInt16]
  ) throws(JPEGXLError) -> JPEGXLSampleFormat {
    let decoder = try LibJXLDecoder.create()
    let format = try decoder.decode(bytes, size: size, channels: channels, into: &samples)
    if case .integer(let bits) = format, bits < 16 { unscale(&samples, bits: bits) }
    return format
  }

  /// Turns samples that the library has stretched to 16 bits back into `bits` bits.
  ///
  /// It gives `round(v * 65535 / m)` with `m` the largest sample; no two `v` share one, so that the
  /// nearest is the one.
  private static func unscale(_ samples: inout [UInt16], bits: Int) {
    let largest = UInt32(1) << UInt32(bits) - 1
    var span = samples.mutableSpan
    for index in span.indices {
      span[index] = UInt16(truncatingIfNeeded: (UInt32(span[index]) * largest + 32_767) / 65_535)
    }
  }
}
