internal import TIFFContainer

/// Uncompressed samples of 1 to 32 bits.
enum PackedSamples {
  /// Unpacks as many samples of up to 16 bits as `row` takes from the start of `bytes`.
  ///
  /// 16 bits stand in the file's byte order. All other sizes but 8 are packed with the high bits
  /// first, in little-endian files too (DNG 1.7.1, "BitsPerSample").
  ///
  /// - Precondition: `bytes` holds `row.count` samples.
  static func unpack(
    _ bytes: Span<UInt8>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    into row: inout MutableSpan<UInt16>
  ) {
    switch (bits, byteOrder) {
    case (16, .littleEndian):
      for index in row.indices {
        row[index] = UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
      }
    case (16, .bigEndian):
      for index in row.indices {
        row[index] = UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1])
      }
    case (8, _):
      for index in row.indices { row[index] = UInt16(bytes[index]) }
    default:
      unpackBits(bytes, bits: bits, into: &row)
    }
  }

  /// Four bytes in the file's order.
  static func word(_ bytes: Span<UInt8>, at start: Int, _ byteOrder: TIFFByteOrder) -> UInt32 {
    let first = UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8
    let second = UInt32(bytes[start + 2]) | UInt32(bytes[start + 3]) << 8
    let word = first | second << 16
    return byteOrder == .littleEndian ? word : word.byteSwapped
  }

  /// Unpacks samples of up to 32 bits, high bits first.
  static func unpackBits<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: Span<UInt8>,
    bits: Int,
    into row: inout MutableSpan<Sample>
  ) {
    let mask = UInt64(1) << UInt64(bits) - 1
    var reservoir: UInt64 = 0
    var available = 0
    var next = 0
    for index in row.indices {
      while available < bits {
        reservoir = reservoir << 8 | UInt64(bytes[next])
        next += 1
        available += 8
      }
      available -= bits
      row[index] = Sample(truncatingIfNeeded: reservoir >> UInt64(available) & mask)
    }
  }
}
