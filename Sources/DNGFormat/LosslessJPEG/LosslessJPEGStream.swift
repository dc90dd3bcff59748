/// One tile whose header is read, whose tables are made and whose scan is unstuffed.
///
/// It points into the buffers that it was made with and is used before they are used again.
@safe
struct LosslessJPEGStream {
  let header: LosslessJPEGHeader
  let buffers: LosslessJPEGBuffers
  let slot: Int
  /// Bits of the scan up to its first marker.
  private(set) var bitCount: Int
  /// Where that marker stands in the file's bytes.
  private(set) var marker: Int
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - range: The tile's, within them.
  ///   - sampleCount: The samples that the tile has.
  ///   - buffers: The memory to decode in, with room for a scan as long as the range.
  ///   - slot: The part of it that is the tile's.
  /// - Throws: `LosslessJPEGError` for a broken header, another number of samples, a scan without end.
  init(
    _ bytes: [UInt8],
    range: Range<Int>,
    sampleCount: Int,
    buffers: LosslessJPEGBuffers,
    slot: Int = 0
  ) throws(LosslessJPEGError) {
    var reader = LosslessJPEGHeaderReader(bytes, range: range)
    header = try reader.read()
    // DNG 1.7.1, "Compression": the frame's shape may differ from the tile's, its samples may not.
    guard header.shape.sampleCount == sampleCount else {
      throw .sampleCount(frame: header.shape.sampleCount, tile: sampleCount)
    }
    self.bytes = bytes
    self.range = range
    self.buffers = buffers
    self.slot = slot
    buffers.makeTables(slot: slot, header)
    let scan = bytes.span.extracting(header.scanStart..<range.upperBound)
    guard let (byteCount, marker) = buffers.unstuff(scan, slot: slot) else {
      throw .missingEndMarker
    }
    bitCount = byteCount * 8
    self.marker = header.scanStart + marker
  }

  /// A reader at the start of the unstuffed scan.
  var reader: EntropyBitReader { EntropyBitReader(position: 8 * buffers.scanStart(slot: slot)) }

  /// Bits of the scan that were not taken; below zero where more were.
  private func bitsLeft(_ reader: EntropyBitReader) -> Int {
    bitCount - (reader.position - 8 * buffers.scanStart(slot: slot))
  }

  /// Whether no more bits were taken than the scan has.
  func isWithinScan(_ reader: EntropyBitReader) -> Bool {
    bitsLeft(reader) >= 0
  }

  /// Whether the scan and the image end behind so many bits.
  func isComplete(bitsTaken: Int) -> Bool {
    do {
      let end = EntropyBitReader(position: reader.position + bitsTaken)
      try checkEnd(end, row: header.shape.rows - 1)
      try checkEndOfImage()
      return true
    } catch {
      return false
    }
  }

  /// Checks that the scan ends where its last difference does: at most 7 bits of padding are left.
  ///
  /// - Throws: `entropyExhausted`, `entropySurplus`.
  func checkEnd(_ reader: EntropyBitReader, row: Int) throws(LosslessJPEGError) {
    let left = bitsLeft(reader)
    guard left >= 0 else { throw .entropyExhausted(row: row) }
    guard left <= 7 else { throw .entropySurplus(bits: left) }
  }

  /// Steps over a restart marker and unstuffs what follows it.
  ///
  /// - Parameter index: The number of the marker, counted from 0.
  /// - Throws: `unexpectedMarker`, `missingEndMarker`.
  mutating func restart(_ index: Int) throws(LosslessJPEGError) {
    guard bytes[marker + 1] == 0xD0 + UInt8(index & 7) else {
      throw .unexpectedMarker(Int(bytes[marker + 1]), offset: marker - range.lowerBound)
    }
    let start = marker + 2
    let file = bytes
    let rest = file.span.extracting(start..<range.upperBound)
    guard let (byteCount, next) = buffers.unstuff(rest, slot: slot) else {
      throw .missingEndMarker
    }
    bitCount = byteCount * 8
    marker = start + next
  }

  /// Checks that the image ends after its scan, and the tile with the image but for padding.
  ///
  /// - Throws: `unexpectedMarker`, `trailingData`.
  func checkEndOfImage() throws(LosslessJPEGError) {
    guard bytes[marker + 1] == 0xD9 else {
      throw .unexpectedMarker(Int(bytes[marker + 1]), offset: marker - range.lowerBound)
    }
    let rest = bytes[(marker + 2)..<range.upperBound]
    // Writers that align their tiles count the alignment, of one value, to the tile.
    guard rest.allSatisfy({ $0 == 0 }) || rest.allSatisfy({ $0 == 0xFF }) else {
      throw .trailingData(byteCount: rest.count)
    }
  }
}
