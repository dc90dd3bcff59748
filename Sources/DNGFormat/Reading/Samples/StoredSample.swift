internal import Raster
internal import TIFFContainer

/// A type that holds stored samples in memory.
protocol StoredSample: BitwiseCopyable, Sendable {
  /// Unpacks as many samples as `row` takes from the start of `bytes`, which holds them.
  static func unpack(
    _ bytes: Span<UInt8>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    into row: inout MutableSpan<Self>
  )
}

extension UInt16: StoredSample {
  static func unpack(
    _ bytes: Span<UInt8>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    into row: inout MutableSpan<UInt16>
  ) {
    PackedSamples.unpack(bytes, bits: bits, byteOrder: byteOrder, into: &row)
  }
}

extension UInt32: StoredSample {
  static func unpack(
    _ bytes: Span<UInt8>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    into row: inout MutableSpan<UInt32>
  ) {
    guard bits == 32 else {
      PackedSamples.unpackBits(bytes, bits: bits, into: &row)
      return
    }
    for index in row.indices { row[index] = PackedSamples.word(bytes, at: 4 * index, byteOrder) }
  }
}

extension Float: StoredSample {
  /// All sizes stand in the byte order given.
  ///
  /// For 24 bits DNG 1.7.1 says so nowhere: its rule for sizes other than 8, 16 and 32 ("BitsPerSample")
  /// is one of packed integers. Adobe's reader and tifffile take three-byte floats in the file's order,
  /// as TIFF does any number of whole bytes.
  static func unpack(
    _ bytes: Span<UInt8>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    into row: inout MutableSpan<Float>
  ) {
    switch bits {
    case 16:
      let (low, high) = byteOrder == .littleEndian ? (0, 1) : (1, 0)
      for index in row.indices {
        let pattern = UInt16(bytes[2 * index + low]) | UInt16(bytes[2 * index + high]) << 8
        row[index] = Float(Float16(bitPattern: pattern))
      }
    case 24:
      let (low, high) = byteOrder == .littleEndian ? (0, 2) : (2, 0)
      for index in row.indices {
        let upper = UInt32(bytes[3 * index + high]) << 16 | UInt32(bytes[3 * index + 1]) << 8
        row[index] = Float(float24: upper | UInt32(bytes[3 * index + low]))
      }
    default:
      for index in row.indices {
        row[index] = Float(bitPattern: PackedSamples.word(bytes, at: 4 * index, byteOrder))
      }
    }
  }
}

extension Float {
  /// Widens a 24-bit float: 1 sign, 7 exponent (bias 64 - 1) and 16 fraction bits (DNG 1.4.0.0,
  /// "SampleFormat"); each has an exact Float.
  init(float24 bits: UInt32) {
    let sign: FloatingPointSign = bits >> 23 & 1 == 0 ? .plus : .minus
    let exponent = Int(bits >> 16 & 0x7F)
    let fraction = bits & 0xFFFF
    let magnitude: Float
    switch exponent {
    case 0:
      // 2^-62 in steps of 2^-16: all of them normal numbers of Float.
      magnitude = Float(sign: .plus, exponent: -78, significand: Float(fraction))
    case 0x7F:
      magnitude = fraction == 0 ? .infinity : .nan
    default:
      let significand = 1 + Float(fraction) / 65_536
      magnitude = Float(sign: .plus, exponent: exponent - 63, significand: significand)
    }
    self = sign == .minus ? -magnitude : magnitude
  }
}
