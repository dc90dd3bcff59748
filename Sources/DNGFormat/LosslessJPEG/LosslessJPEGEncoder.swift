/// Codes samples as lossless JPEG (ITU-T T.81 annex H, SOF3) with the best Huffman tables.
///
/// The encoder owns the buffers of one lane and reuses them from tile to tile. Two passes: differences
/// and their statistics, then codes into an unstuffed buffer whose size is known to the bit, to which
/// the stuffing bytes are added when it is copied out.
package struct LosslessJPEGEncoder: ~Copyable {
  /// Samples minus predictions, modulo 2^16.
  var differences: [Int16] = []
  /// Entropy-coded bits before stuffing.
  var scan: [UInt8] = []
  /// The same with stuffing bytes.
  var stuffed: [UInt8] = []

  package init() {}

  /// The complete stream, SOI to EOI.
  ///
  /// - Parameters:
  ///   - samples: `shape.sampleCount` samples in row order, components interleaved.
  ///   - shape: What the frame header is to say.
  ///   - predictor: The predictor of all samples but those of the first row and column.
  ///   - tile: The index that an error names.
  /// - Returns: The bytes of a tile or strip.
  /// - Throws: `unsupportedShape`, `unsupportedBitDepth`; `sampleOverBitDepth` where a sample is not
  ///   below 2^precision.
  package mutating func encode(
    _ samples: Span<UInt16>,
    shape: LosslessJPEGShape,
    predictor: LosslessJPEGPredictor = .left,
    tile: Int = 0
  ) throws(DNGWritingError) -> [UInt8] {
    guard (2...16).contains(shape.precision) else {
      throw .unsupportedBitDepth(bitsPerSample: shape.precision, compression: "lossless JPEG")
    }
    guard shape.isEncodable else {
      throw .unsupportedShape(
        columns: shape.columns,
        rows: shape.rows,
        samplesPerPixel: shape.components
      )
    }
    precondition(samples.count == shape.sampleCount, "a sample for each place")
    guard allBits(of: samples) >> UInt16(shape.precision - 1) <= 1 else {
      throw .sampleOverBitDepth(tile: tile, bitsPerSample: shape.precision)
    }
    predict(samples, shape: shape, predictor: predictor)
    let codes = countCategories(shape: shape).map { OptimalHuffmanCode(counts: $0) }
    let scanByteCount = emitScan(shape: shape, codes: codes)
    return assemble(
      header: header(shape: shape, predictor: predictor, codes: codes),
      scanByteCount: scanByteCount
    )
  }
}

/// The bits that any sample has.
private func allBits(of samples: Span<UInt16>) -> UInt16 {
  var bits: UInt16 = 0
  for index in samples.indices { bits |= samples[index] }
  return bits
}
