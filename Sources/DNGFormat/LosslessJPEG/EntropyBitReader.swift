/// The bits of an unstuffed scan, most significant first.
///
/// The scan is followed by zeros, so that a reader may run over its end for a while; whoever uses it
/// checks `position` in time.
@safe
struct EntropyBitReader {
  private let start: UnsafePointer<UInt8>
  /// Bits taken so far.
  private(set) var position = 0

  @unsafe
  init(_ start: UnsafePointer<UInt8>) {
    unsafe self.start = start
  }

  /// The bits ahead, left-aligned: at least 57 of them.
  ///
  /// The eight bytes at the position must be readable.
  @unsafe @inline(__always)
  func ahead() -> UInt64 {
    let word = unsafe UnsafeRawPointer(start + position &>> 3).loadUnaligned(as: UInt64.self)
    return UInt64(bigEndian: word) &<< UInt64(truncatingIfNeeded: position & 7)
  }

  /// Takes the next difference, modulo 2^16 with anything above.
  ///
  /// Bits that are no code set bit 16 of `invalid`; 16 bits are taken for them.
  ///
  /// - Parameters:
  ///   - bits: What `ahead` gave; advanced by what is taken. Two differences can be taken from it.
  ///   - lookup: The table's lookup.
  ///   - table: The table.
  ///   - invalid: Collects what is above 16 bits in long differences.
  /// - Returns: The difference.
  @unsafe @inline(__always)
  mutating func difference(
    _ bits: inout UInt64,
    _ lookup: UnsafePointer<UInt32>,
    _ table: UnsafePointer<HuffmanDecodingTable>,
    invalid: inout UInt32
  ) -> UInt32 {
    let index = Int(truncatingIfNeeded: bits &>> UInt64(64 - HuffmanDecodingTable.lookupBits))
    let entry = unsafe lookup[index]
    if _slowPath(entry == 0) {
      let (difference, total) = unsafe longDifference(self, table)
      position &+= total
      bits = unsafe ahead()
      invalid |= difference
      return difference
    }
    let total = UInt64(truncatingIfNeeded: entry & 0xFF)
    // The lowest six bits of -total are those of 64 - total, for a total of 1 to 28.
    let value = UInt32(truncatingIfNeeded: bits &>> (0 &- total))
    bits = bits &<< total
    position &+= Int(truncatingIfNeeded: total)
    return value &+ entry &>> 16
  }
}

/// A difference by the length of its code, and its bits; values in and out, so that the reader stays
/// in registers.
@unsafe @inline(never)
private func longDifference(
  _ reader: EntropyBitReader,
  _ table: UnsafePointer<HuffmanDecodingTable>
) -> (difference: UInt32, total: Int) {
  // A code and its extra bits are 31 at the most.
  let bits = unsafe reader.ahead()
  guard let (category, length) = unsafe table.pointee.code(UInt32(truncatingIfNeeded: bits >> 48))
  else { return (1 << 16, 16) }
  guard category > 0 else { return (0, length) }
  guard category < 16 else { return (32_768, length) }
  let extra = UInt32(truncatingIfNeeded: (bits << UInt64(length)) >> UInt64(64 - category))
  let isNegative = extra >> UInt32(category - 1) == 0
  let difference = isNegative ? extra &- ((1 as UInt32) << UInt32(category) - 1) : extra
  return (difference & 0xFFFF, length + category)
}
