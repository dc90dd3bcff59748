internal import DNGFormat

/// Writes lossless JPEG bit by bit with one fixed Huffman table, for streams that the project's own
/// encoder doesn't write: restart intervals, long codes, damage.
struct FixedTableJPEG {
  var shape: LosslessJPEGShape
  var predictor = LosslessJPEGPredictor.left
  /// Lines between restart markers; 0 without.
  var restartRows = 0
  /// The length of each category's code, from 0 to 16.
  var codeLengths = Array(repeating: 5, count: 17)
  /// Bits after the last sample of each interval.
  var surplusBits = 0

  /// The stream of `shape.sampleCount` samples.
  func stream(_ samples: [UInt16]) -> [UInt8] {
    let order = (0..<17).sorted { (codeLengths[$0], $0) < (codeLengths[$1], $1) }
    var codes = Array(repeating: (code: 0, length: 0), count: 17)
    var code = 0
    var length = codeLengths[order[0]]
    for category in order {
      code <<= codeLengths[category] - length
      length = codeLengths[category]
      codes[category] = (code, length)
      code += 1
    }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += [0xFF, 0xC4, 0, UInt8(2 + 17 + 17), 0]
    bytes += (1...16).map { length in UInt8(codeLengths.count { $0 == length }) }
    bytes += order.map(UInt8.init)
    bytes += [0xFF, 0xC3, 0, UInt8(8 + 3 * shape.components), UInt8(shape.precision)]
    bytes += [UInt8(shape.rows >> 8), UInt8(shape.rows & 255)]
    bytes += [UInt8(shape.columns >> 8), UInt8(shape.columns & 255), UInt8(shape.components)]
    for component in 0..<shape.components { bytes += [UInt8(component), 0x11, 0] }
    if restartRows > 0 {
      let interval = restartRows * shape.columns
      bytes += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 255)]
    }
    bytes += [0xFF, 0xDA, 0, UInt8(6 + 2 * shape.components), UInt8(shape.components)]
    for component in 0..<shape.components { bytes += [UInt8(component), 0] }
    bytes += [predictor.rawValue, 0, 0]
    var restart = 0
    for first in stride(from: 0, to: shape.rows, by: restartRows > 0 ? restartRows : shape.rows) {
      let rows = first..<min(shape.rows, first + (restartRows > 0 ? restartRows : shape.rows))
      if first > 0 {
        bytes += [0xFF, 0xD0 + UInt8(restart & 7)]
        restart += 1
      }
      bytes += stuffed(bits(samples, rows: rows, codes: codes))
    }
    return bytes + [0xFF, 0xD9]
  }

  /// The bytes of a stream in front of its scan.
  static func headerByteCount(_ stream: [UInt8]) -> Int {
    var position = 2
    while stream[position + 1] != 0xDA { position += 2 + length(stream, position) }
    return position + 2 + length(stream, position)
  }

  /// The length of the marker segment at a position.
  private static func length(_ stream: [UInt8], _ position: Int) -> Int {
    Int(stream[position + 2]) << 8 | Int(stream[position + 3])
  }

  private func bits(
    _ samples: [UInt16],
    rows: Range<Int>,
    codes: [(code: Int, length: Int)]
  ) -> [UInt8] {
    var bits: [UInt8] = []
    func append(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) {
        bits.append(UInt8(value >> bit & 1))
      }
    }
    let width = shape.samplesPerRow
    for row in rows {
      for index in 0..<width {
        func sample(_ row: Int, _ index: Int) -> Int32 { Int32(samples[row * width + index]) }
        let prediction: Int32
        let left = index - shape.components
        switch (row == rows.lowerBound, left < 0) {
        case (true, true): prediction = 1 << Int32(shape.precision - 1)
        case (true, false): prediction = sample(row, left)
        case (false, true): prediction = sample(row - 1, index)
        case (false, false):
          prediction = predictor.predict(
            left: sample(row, left),
            above: sample(row - 1, index),
            aboveLeft: sample(row - 1, left)
          )
        }
        let difference = Int(Int16(truncatingIfNeeded: sample(row, index) - prediction))
        if difference == -32_768 {
          append(codes[16].code, codes[16].length)
          continue
        }
        var category = 0
        while abs(difference) >= 1 << category { category += 1 }
        append(codes[category].code, codes[category].length)
        append(difference > 0 ? difference : difference + 1 << category - 1, category)
      }
    }
    for _ in 0..<surplusBits { bits.append(1) }
    while !bits.count.isMultiple(of: 8) { bits.append(1) }
    return bits
  }

  private func stuffed(_ bits: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
    return bytes
  }
}
