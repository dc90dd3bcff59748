/// Codes samples as lossless JPEG (ITU-T T.81 annex H, SOF3) with the best Huffman tables.
///
/// The encoder owns the buffers of one lane and reuses them from tile to tile. A tile comes row by row,
/// from where its samples stand: differences and their statistics are taken at once, codes go into an
/// unstuffed buffer when the tile is whole, and are copied out with their stuffing bytes.
package struct LosslessJPEGEncoder: ~Copyable {
  /// Samples minus predictions, modulo 2^16, with their categories.
  var differences = ClassifiedDifferences()
  /// Entropy-coded bits before stuffing.
  var scan: [UInt8] = []
  /// The row before the next one.
  private var above: [UInt16] = []
  /// The differences of one row.
  private var rowDifferences: [Int16] = []
  private var counts = CategoryCounts()
  private var shape = LosslessJPEGShape(columns: 0, rows: 0, components: 1, precision: 16)
  private var predictor = LosslessJPEGPredictor.left
  private var row = 0
  /// The bits that any sample has.
  private var bits: UInt16 = 0

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
    try start(shape: shape, predictor: predictor)
    precondition(samples.count == shape.sampleCount, "a sample for each place")
    let width = shape.samplesPerRow
    for row in 0..<shape.rows { add(samples.extracting(row * width..<(row + 1) * width)) }
    return try finish(tile: tile)
  }

  /// Starts a tile.
  ///
  /// - Throws: `unsupportedShape`, `unsupportedBitDepth`.
  mutating func start(
    shape: LosslessJPEGShape,
    predictor: LosslessJPEGPredictor
  ) throws(DNGWritingError) {
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
    self.shape = shape
    self.predictor = predictor
    row = 0
    bits = 0
    counts.start(components: shape.components)
    differences.reserve(shape.sampleCount)
    if above.count < shape.samplesPerRow {
      above = [UInt16](repeating: 0, count: shape.samplesPerRow)
      rowDifferences = [Int16](repeating: 0, count: shape.samplesPerRow)
    }
  }

  /// Takes the next row of the tile.
  ///
  /// - Precondition: It has `shape.samplesPerRow` samples, and the tile is not whole yet.
  mutating func add(_ samples: Span<UInt16>) {
    precondition(samples.count == shape.samplesPerRow && row < shape.rows, "a row of the tile")
    bits |= allBits(of: samples)
    subtractPredictions(
      samples,
      above: above,
      isFirst: row == 0,
      shape: shape,
      predictor: predictor,
      into: &rowDifferences
    )
    classify(rowDifferences, count: samples.count, at: row * samples.count)
    // Predictor 1 looks at no more than the first pixel above.
    keep(samples, count: predictor == .left ? shape.components : samples.count, in: &above)
    row += 1
  }

  private mutating func classify(_ row: [Int16], count: Int, at start: Int) {
    differences.store(row.span.extracting(0..<count), at: start, counts: &counts)
  }

  /// Codes the tile.
  ///
  /// - Throws: `sampleOverBitDepth`.
  mutating func finish(tile: Int) throws(DNGWritingError) -> [UInt8] {
    precondition(row == shape.rows, "a whole tile")
    guard bits >> UInt16(shape.precision - 1) <= 1 else {
      throw .sampleOverBitDepth(tile: tile, bitsPerSample: shape.precision)
    }
    counts.flush()
    let codes = counts.counts.map { OptimalHuffmanCode(counts: $0) }
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

private func keep(_ samples: Span<UInt16>, count: Int, in row: inout [UInt16]) {
  for index in 0..<count { row[index] = samples[index] }
}
