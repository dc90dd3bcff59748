/// A histogram in few bytes that SQL can take apart: the form in which the database keeps it.
///
/// The counts stand in blocks of 64. A block begins with a byte: its lower six bits are the width of an
/// entry in bits, 0 to 32, the two above them the number of bytes of the block's lowest count, less one. That
/// count follows, the highest byte first, and then what each count lies above it, the highest bit first, up
/// to a whole byte. Where noise makes neighbouring counts differ at random, nothing shorter than a code of
/// their distribution is much shorter than this, and no bit depends on a block before.
///
/// Levels that do not occur are left out of the blocks where that is shorter; `occupied` says then which
/// occur.
package struct PackedHistogram: Equatable, Sendable {
  /// The lowest level that occurs; 0 without samples.
  package let firstLevel: Int
  /// Levels from the lowest to the highest that occurs.
  package let levelCount: Int
  /// A bit for each level from `firstLevel` on, the lowest bit of a byte first: whether it occurs.
  ///
  /// Nil where the blocks hold every level.
  package let occupied: [UInt8]?
  /// The blocks.
  package let counts: [UInt8]

  static let blockLength = 64

  /// Packs a histogram.
  package init(_ histogram: LevelHistogram) {
    firstLevel = histogram.firstLevel
    levelCount = histogram.counts.count
    let all = Self.blocks(histogram.counts[...])
    let met = histogram.counts.filter { $0 > 0 }
    var occupied = [UInt8](repeating: 0, count: (histogram.counts.count + 7) / 8)
    for (index, count) in histogram.counts.enumerated() where count > 0 {
      occupied[index >> 3] |= 1 << UInt8(index & 7)
    }
    let some = Self.blocks(met[...])
    let isShorter = some.count + occupied.count < all.count
    self.occupied = isShorter ? occupied : nil
    counts = isShorter ? some : all
  }

  private static func blocks(_ counts: ArraySlice<UInt32>) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: counts.startIndex, to: counts.endIndex, by: blockLength) {
      let block = counts[start..<min(start + blockLength, counts.endIndex)]
      let lowest = block.min() ?? 0
      let highest = block.max() ?? 0
      let width = UInt32.bitWidth - (highest - lowest).leadingZeroBitCount
      let lowestLength = max(1, (UInt32.bitWidth - lowest.leadingZeroBitCount + 7) / 8)
      bytes.append(UInt8(width | (lowestLength - 1) << 6))
      for byte in (0..<lowestLength).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: lowest >> UInt32(8 * byte)))
      }
      var pending: UInt64 = 0
      var pendingBits = 0
      for count in block {
        pending = pending << UInt64(width) | UInt64(count - lowest)
        pendingBits += width
        while pendingBits >= 8 {
          pendingBits -= 8
          bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingBits)))
        }
      }
      if pendingBits > 0 {
        bytes.append(UInt8(truncatingIfNeeded: pending << UInt64(8 - pendingBits)))
      }
    }
    return bytes
  }
}
