/// A place in unstuffed scans, most significant bit first.
///
/// Scans are followed by zeros, so that a reader may run over its scan's end for a while; whoever uses
/// it checks `position` in time. The tiles that take turns have their scans and tables in the same
/// memory, so that all that a reader keeps in a register is its position.
struct EntropyBitReader {
  /// Bits in front of the next one, counted from the start of the memory.
  private(set) var position: Int

  /// The bits ahead, left-aligned: at least 57 of them.
  ///
  /// The eight bytes at the position must be readable.
  @unsafe @inline(__always)
  func ahead(_ scans: UnsafePointer<UInt8>) -> UInt64 {
    let word = unsafe UnsafeRawPointer(scans + position &>> 3).loadUnaligned(as: UInt64.self)
    return UInt64(bigEndian: word) &<< UInt64(truncatingIfNeeded: position & 7)
  }

  /// Takes the next difference, modulo 2^16 with anything above.
  ///
  /// Bits that are no code set bit 16 of `invalid`; 16 bits are taken for them.
  ///
  /// - Parameters:
  ///   - scans: The memory that `ahead` reads.
  ///   - tables: Memory of tables as `HuffmanDecodingTable` makes them.
  ///   - table: Where in it the table starts.
  ///   - invalid: Collects what is above 16 bits in long differences.
  /// - Returns: The difference.
  @unsafe @inline(__always)
  mutating func difference(
    _ scans: UnsafePointer<UInt8>,
    _ tables: UnsafePointer<UInt32>,
    table: Int,
    invalid: inout UInt32
  ) -> UInt32 {
    let bits = unsafe ahead(scans)
    let (value, total) = unsafe HuffmanDecodingTable.difference(bits, tables, table)
    if _slowPath(total == HuffmanDecodingTable.slow) {
      let (difference, total) = unsafe HuffmanDecodingTable.longDifference(bits, tables, table)
      position &+= total
      invalid |= difference
      return difference
    }
    position &+= Int(truncatingIfNeeded: total)
    return UInt32(value)
  }
}
