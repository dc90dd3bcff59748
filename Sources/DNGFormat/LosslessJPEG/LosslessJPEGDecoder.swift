/// Decodes single lossless JPEG streams, as tiles of a DNG are, outside a file.
package struct LosslessJPEGDecoder: ~Copyable {
  private let buffers = LosslessJPEGBuffers(slotCount: 1)

  package init() {}

  /// The frame's shape and its samples in row order, components interleaved.
  ///
  /// - Parameters:
  ///   - bytes: The stream, SOI to EOI.
  ///   - sampleCount: The samples that it must have; bounds the memory that is taken.
  /// - Returns: The shape of the frame header and `sampleCount` samples.
  /// - Throws: `LosslessJPEGError`.
  package func decode(
    _ bytes: [UInt8],
    sampleCount: Int
  ) throws(LosslessJPEGError) -> (shape: LosslessJPEGShape, samples: [UInt16]) {
    buffers.reserveScans(bytes.count)
    var stream = try LosslessJPEGStream(
      bytes,
      range: 0..<bytes.count,
      sampleCount: sampleCount,
      buffers: buffers
    )
    try stream.decodeFrame()
    // `decodeFrame` has filled as many samples.
    let samples = unsafe Array(UnsafeBufferPointer(start: buffers.samples, count: sampleCount))
    return (stream.header.shape, samples)
  }
}
