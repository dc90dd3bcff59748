internal import TIFFContainer

/// Uncompressed samples of 1 to 16 bits.
enum PackedSamples {
  /// Unpacks as many samples as `row` takes from the start of `bytes`.
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

  private static func unpackBits(
    _ bytes: Span<UInt8>,
    bits: Int,
    into row: inout MutableSpan<UInt16>
  ) {
    let mask = UInt32(1) << UInt32(bits) - 1
    var reservoir: UInt32 = 0
    var available = 0
    var next = 0
    for index in row.indices {
      while available < bits {
        reservoir = reservoir << 8 | UInt32(bytes[next])
        next += 1
        available += 8
      }
      available -= bits
      row[index] = UInt16(truncatingIfNeeded: reservoir >> UInt32(available) & mask)
    }
  }
}
