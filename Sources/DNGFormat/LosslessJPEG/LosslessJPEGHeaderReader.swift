/// Reads the marker segments of a lossless JPEG tile up to its scan (ITU-T T.81 annex B).
struct LosslessJPEGHeaderReader {
  private let bytes: [UInt8]
  private let range: Range<Int>
  private var position: Int
  private var shape: LosslessJPEGShape?
  /// Identifiers of the frame's components, in its order.
  private var components: [UInt8] = []
  private var restartInterval = 0
  private var tables: [HuffmanSpecification?] = [nil, nil, nil, nil]

  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - range: The tile's, within them.
  init(_ bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    position = range.lowerBound
  }

  /// The header of the tile's only frame and scan.
  ///
  /// - Throws: `LosslessJPEGError`.
  mutating func read() throws(LosslessJPEGError) -> LosslessJPEGHeader {
    guard range.count >= 2, bytes[position] == 0xFF, bytes[position + 1] == 0xD8 else {
      throw .noStartOfImage
    }
    position += 2
    while true {
      let start = position
      let marker = try nextMarker()
      switch marker {
      case 0xC4:
        let end = try segment(marker)
        while position < end { try huffmanTable(end: end, marker: marker) }
      case 0xC3:
        guard shape == nil else { throw .unexpectedMarker(marker, offset: offset(start)) }
        let end = try segment(marker)
        try frame(end: end, marker: marker)
      case 0xC0...0xC2, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        throw .otherProcess(marker: marker)
      case 0xDD:
        let end = try segment(marker)
        guard end - position == 2 else {
          throw .segmentLength(marker: marker, offset: offset(start))
        }
        restartInterval = uint16(position)
        position = end
      case 0xDA:
        let end = try segment(marker)
        return try scan(end: end, marker: marker, start: start)
      case 0xDB, 0xE0...0xEF, 0xFE:
        // Quantisation tables, application data and comments don't matter to lossless coding.
        position = try segment(marker)
      default:
        throw .unexpectedMarker(marker, offset: offset(start))
      }
    }
  }

  /// The next marker; any number of 0xFF may stand before it (B.1.1.2).
  private mutating func nextMarker() throws(LosslessJPEGError) -> Int {
    guard position < range.upperBound else { throw .truncatedHeader(offset: offset(position)) }
    guard bytes[position] == 0xFF else { throw .markerExpected(offset: offset(position)) }
    while position < range.upperBound, bytes[position] == 0xFF { position += 1 }
    guard position < range.upperBound else { throw .truncatedHeader(offset: offset(position)) }
    position += 1
    return Int(bytes[position - 1])
  }

  /// Steps over the segment's length and returns its end.
  private mutating func segment(_ marker: Int) throws(LosslessJPEGError) -> Int {
    guard range.upperBound - position >= 2 else {
      throw .truncatedHeader(offset: offset(position))
    }
    let length = uint16(position)
    guard length >= 2 else { throw .segmentLength(marker: marker, offset: offset(position)) }
    let end = position + length
    guard end <= range.upperBound else { throw .truncatedHeader(offset: offset(position)) }
    position += 2
    return end
  }

  private mutating func huffmanTable(end: Int, marker: Int) throws(LosslessJPEGError) {
    guard end - position >= 17 else {
      throw .segmentLength(marker: marker, offset: offset(position))
    }
    let classAndTarget = Int(bytes[position])
    guard classAndTarget <= 3 else {
      throw .invalidField("Huffman table class and number", value: classAndTarget)
    }
    let counts = (1...16).map { Int(bytes[position + $0]) }
    let count = counts.reduce(0, +)
    position += 17
    guard end - position >= count else {
      throw .segmentLength(marker: marker, offset: offset(position))
    }
    guard
      let table = HuffmanSpecification(
        counts: counts,
        categories: Array(bytes[position..<position + count])
      )
    else { throw .invalidHuffmanTable(classAndTarget) }
    tables[classAndTarget] = table
    position += count
  }

  private mutating func frame(end: Int, marker: Int) throws(LosslessJPEGError) {
    guard end - position >= 6 else {
      throw .segmentLength(marker: marker, offset: offset(position))
    }
    let precision = Int(bytes[position])
    let rows = uint16(position + 1)
    let columns = uint16(position + 3)
    let count = Int(bytes[position + 5])
    guard (2...16).contains(precision) else { throw .invalidField("precision", value: precision) }
    // A number of lines of 0 would follow the scan (DNL): DNG's tiles know theirs.
    guard rows > 0 else { throw .invalidField("number of lines", value: rows) }
    guard columns > 0 else { throw .invalidField("line length", value: columns) }
    guard (1...4).contains(count) else { throw .invalidField("component count", value: count) }
    guard end - position == 6 + 3 * count else {
      throw .segmentLength(marker: marker, offset: offset(position))
    }
    for index in 0..<count {
      let start = position + 6 + 3 * index
      let sampling = Int(bytes[start + 1])
      // The factors of a single component have no meaning (A.2.2).
      guard count == 1 || sampling == 0x11 else {
        throw .invalidField("sampling factors", value: sampling)
      }
      guard !components.contains(bytes[start]) else {
        throw .invalidField("component identifier", value: Int(bytes[start]))
      }
      components.append(bytes[start])
    }
    shape = LosslessJPEGShape(
      columns: columns,
      rows: rows,
      components: count,
      precision: precision
    )
    position = end
  }

  private func scan(
    end: Int,
    marker: Int,
    start: Int
  ) throws(LosslessJPEGError) -> LosslessJPEGHeader {
    guard let shape else { throw .unexpectedMarker(marker, offset: offset(start)) }
    guard end > position else { throw .segmentLength(marker: marker, offset: offset(start)) }
    let count = Int(bytes[position])
    // DNG has one scan of all components.
    guard count == shape.components else {
      throw .invalidField("scan component count", value: count)
    }
    guard end - position == 4 + 2 * count else {
      throw .segmentLength(marker: marker, offset: offset(start))
    }
    var selected: [HuffmanSpecification] = []
    var selectors: [Int] = []
    var indices: [Int] = []
    for index in 0..<count {
      let identifier = bytes[position + 1 + 2 * index]
      let table = Int(bytes[position + 2 + 2 * index])
      guard identifier == components[index] else {
        throw .invalidField("scan component", value: Int(identifier))
      }
      // The low half selects an AC table, which lossless scans don't have.
      guard table & 15 == 0, table >> 4 <= 3 else {
        throw .invalidField("table selector", value: table)
      }
      guard let specification = tables[table >> 4] else {
        throw .missingHuffmanTable(table >> 4)
      }
      if let index = selectors.firstIndex(of: table) {
        indices.append(index)
      } else {
        indices.append(selected.count)
        selected.append(specification)
        selectors.append(table)
      }
    }
    let parameters = position + 1 + 2 * count
    guard let predictor = LosslessJPEGPredictor(rawValue: bytes[parameters]) else {
      throw .invalidField("predictor", value: Int(bytes[parameters]))
    }
    guard bytes[parameters + 1] == 0 else {
      throw .invalidField("end of spectral selection", value: Int(bytes[parameters + 1]))
    }
    // High half 0; the low half is a point transform, which DNG doesn't use.
    guard bytes[parameters + 2] == 0 else {
      throw .invalidField("point transform", value: Int(bytes[parameters + 2]))
    }
    // H.1.1: the interval is a whole number of lines.
    guard restartInterval.isMultiple(of: shape.columns) else {
      throw .invalidField("restart interval", value: restartInterval)
    }
    return LosslessJPEGHeader(
      shape: shape,
      predictor: predictor,
      restartRows: restartInterval / shape.columns,
      tables: selected,
      tableIndices: indices,
      scanStart: end
    )
  }

  private func uint16(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }

  private func offset(_ index: Int) -> Int { index - range.lowerBound }
}
