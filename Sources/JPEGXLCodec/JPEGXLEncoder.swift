package import Raster

/// Encodes single pictures as bare JPEG XL codestreams, as tiles of a DNG are.
package enum JPEGXLEncoder {
  /// The version of libjxl that is loaded.
  package static var libraryVersion: String { LibJXLEncoder.version }

  /// Encodes a whole picture on the calling thread; its channels are coded as they are, in no colour
  /// space.
  ///
  /// - Parameters:
  ///   - samples: Rows of interleaved samples.
  ///   - size: The picture's.
  ///   - channels: 1 or 3.
  ///   - bits: Of a sample, 8 to 16.
  ///   - distance: Butteraugli distance, above 0 to 25; nil is lossless.
  ///   - effort: 1 (fast) to 9.
  /// - Returns: The codestream, without a container.
  /// - Throws: `JPEGXLError.encoding`, `unavailable`.
  package static func encode(
    _ samples: Span<UInt16>,
    size: PixelSize,
    channels: Int,
    bits: Int,
    distance: Float?,
    effort: Int
  ) throws(JPEGXLError) -> [UInt8] {
    guard channels == 1 || channels == 3, (8...16).contains(bits), size.width > 0, size.height > 0,
      samples.count == size.width * size.height * channels
    else {
      throw .encoding("\(size) pixels of \(channels) channels of \(bits) bits")
    }
    // The library takes 16 bits of full scale, and gives the very samples back (see `unscale`).
    let largest = UInt32(1) << UInt32(bits) - 1
    var scaled: [UInt16] = []
    scaled.reserveCapacity(samples.count)
    for index in samples.indices {
      let sample = UInt32(samples[index])
      guard sample <= largest else { throw .encoding("a sample of \(sample) in \(bits) bits") }
      scaled.append(
        bits == 16
          ? samples[index] : UInt16((sample * 65_535 + largest / 2) / largest)
      )
    }
    let encoder = try LibJXLEncoder.create()
    let stream = try encoder.encode(
      scaled.span,
      size: size,
      channels: channels,
      bits: bits,
      distance: distance,
      effort: min(9, max(1, effort))
    )
    return try codestream(of: stream)
  }

  /// Takes the codestream out of a container (ISO/IEC 18181-2), which the library makes for more than
  /// 12 bits.
  private static func codestream(of stream: [UInt8]) throws(JPEGXLError) -> [UInt8] {
    guard stream.starts(with: [0, 0, 0, 12]) else { return stream }
    var codestream: [UInt8] = []
    var position = 0
    while position + 8 <= stream.count {
      var size = stream[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = Array(stream[position + 4..<position + 8])
      var header = 8
      if size == 1 {
        guard position + 16 <= stream.count else { break }
        size = stream[position + 8..<position + 16].reduce(0) { $0 << 8 | Int($1) }
        header = 16
      }
      // A size of 0 reaches to the end.
      let end = size == 0 ? stream.count : position + size
      guard end <= stream.count, position + header <= end else { break }
      switch type {
      case Array("jxlc".utf8): codestream += stream[position + header..<end]
      // Parts have a number before them.
      case Array("jxlp".utf8): codestream += stream[position + header..<end].dropFirst(4)
      default: break
      }
      position = end
    }
    guard !codestream.isEmpty else { throw .encoding("the library's container has no codestream") }
    return codestream
  }
}
