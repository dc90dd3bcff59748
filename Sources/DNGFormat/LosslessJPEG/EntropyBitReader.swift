/// The bits of an unstuffed scan, most significant first.
///
/// At least 56 bits are at hand after a refill. The scan is followed by zeros, so that a reader may
/// run over its end for a while; whoever uses it checks `position` in time.
@safe
struct EntropyBitReader {
  /// The bits ahead, left-aligned; below the valid ones stand more bits of the scan or zeros.
  var bits: UInt64 = 0
  /// The number of valid bits, right modulo 64: shifts look at no more.
  var count: UInt64 = 0
  /// The byte after those that count as valid, rounded down.
  var next: UnsafePointer<UInt8>

  @unsafe
  init(_ start: UnsafePointer<UInt8>) {
    unsafe next = start
  }

  /// Fills up to 56 valid bits or more.
  ///
  /// Eight bytes at `next` must be readable.
  @unsafe @inline(__always)
  mutating func refill() {
    let word = unsafe UInt64(
      bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
    )
    bits |= word &>> count
    unsafe next += Int(truncatingIfNeeded: (~count &>> 3) & 7)
    count = (count & 7) | 56
  }

  /// Takes bits; only the lowest six bits of `total` count.
  @inline(__always)
  mutating func take(_ total: UInt64) {
    bits = bits &<< total
    count = count &- total
  }

  /// Bits taken since `start`.
  @unsafe @inline(__always)
  func position(from start: UnsafePointer<UInt8>) -> Int {
    unsafe (UnsafePointer(next) - start) * 8 - Int(truncatingIfNeeded: count & 63)
  }

  /// The next difference modulo 2^16; at least 28 valid bits must be there.
  ///
  /// Bits that are no code set a bit of `invalid` above the 16th; 16 bits are taken for them.
  @unsafe @inline(__always)
  mutating func difference(
    _ lookup: UnsafePointer<UInt32>,
    slow table: UnsafePointer<HuffmanDecodingTable>,
    invalid: inout UInt32
  ) -> UInt32 {
    let index = Int(truncatingIfNeeded: bits &>> 52)
    let entry = unsafe UInt64(lookup[index])
    if _slowPath(entry == 0) {
      let result = unsafe slowDifference(self, table)
      self = result.reader
      invalid |= result.difference
      return result.difference
    }
    // The lowest six bits of -total are those of 64 - total, for a total of 1 to 28.
    let value = UInt32(truncatingIfNeeded: bits &>> (0 &- entry))
    take(entry)
    return value &+ UInt32(truncatingIfNeeded: entry &>> 16)
  }
}

/// A difference by the length of its code; values in and out, so that the reader stays in registers.
@unsafe @inline(never)
private func slowDifference(
  _ reader: EntropyBitReader,
  _ table: UnsafePointer<HuffmanDecodingTable>
) -> (reader: EntropyBitReader, difference: UInt32) {
  var reader = reader
  // What was taken before may have left too few bits for a long code; a long code may leave too few
  // for the difference after it.
  unsafe reader.refill()
  let difference = unsafe longDifference(&reader, table)
  unsafe reader.refill()
  return (reader, difference)
}

@unsafe
private func longDifference(
  _ reader: inout EntropyBitReader,
  _ table: UnsafePointer<HuffmanDecodingTable>
) -> UInt32 {
  let ahead = UInt32(truncatingIfNeeded: reader.bits >> 48)
  guard let (category, length) = unsafe table.pointee.code(ahead) else {
    reader.take(16)
    return 1 << 16
  }
  reader.take(UInt64(length))
  guard category > 0 else { return 0 }
  guard category < 16 else { return 32_768 }
  let extra = UInt32(truncatingIfNeeded: reader.bits >> UInt64(64 - category))
  reader.take(UInt64(category))
  let isNegative = extra >> UInt32(category - 1) == 0
  let difference = isNegative ? extra &- ((1 as UInt32) << UInt32(category) - 1) : extra
  return difference & 0xFFFF
}
