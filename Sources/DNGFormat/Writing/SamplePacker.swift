internal import TIFFContainer

/// Packs samples of 8 to 16 bits as uncompressed DNG rows.
enum SamplePacker {
  /// The bytes of a row; its last byte is padded with zeros.
  static func rowByteCount(samples: Int, bitsPerSample: Int) -> Int {
    (samples * bitsPerSample + 7) / 8
  }

  /// Appends one row: 16 bits in the file's byte order, 8 bits as they are, others packed with the high
  /// bits first, as DNG wants for files of either byte order ("BitsPerSample").
  ///
  /// - Returns: Whether every sample fits in `bitsPerSample`.
  static func append(
    _ row: Span<UInt16>,
    bitsPerSample: Int,
    byteOrder: TIFFByteOrder,
    to bytes: inout [UInt8]
  ) -> Bool {
    var allBits: UInt16 = 0
    switch bitsPerSample {
    case 16:
      for index in row.indices {
        let sample = byteOrder == .littleEndian ? row[index] : row[index].byteSwapped
        bytes.append(UInt8(truncatingIfNeeded: sample))
        bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    case 8:
      for index in row.indices {
        allBits |= row[index]
        bytes.append(UInt8(truncatingIfNeeded: row[index]))
      }
    default:
      var pending: UInt32 = 0
      var count = 0
      for index in row.indices {
        allBits |= row[index]
        pending = pending << UInt32(bitsPerSample) | UInt32(row[index])
        count += bitsPerSample
        while count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(count)))
        }
      }
      if count > 0 {
        bytes.append(UInt8(truncatingIfNeeded: pending << UInt32(8 - count)))
      }
    }
    return UInt32(allBits) >> UInt32(bitsPerSample) == 0
  }
}
