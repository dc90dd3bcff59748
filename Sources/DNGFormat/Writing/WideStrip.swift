internal import Raster
internal import TIFFContainer

/// Samples of 16 or 32 bits as they are, whatever they are.
enum WideStrip {
  /// All rows in the file's byte order.
  ///
  /// - Parameters:
  ///   - samples: The frame.
  ///   - bits: 16 or 32.
  ///   - byteOrder: The file's.
  ///   - pattern: A sample's bits.
  /// - Returns: The strip.
  static func bytes<Sample: BitwiseCopyable>(
    _ samples: borrowing Plane<Sample>,
    bits: Int,
    byteOrder: TIFFByteOrder,
    pattern: (Sample) -> UInt32
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let byteCount = bits / 8
    bytes.reserveCapacity(samples.width * samples.height * byteCount)
    for y in 0..<samples.height {
      samples.withRow(y) { row in
        for x in row.indices {
          let pattern = pattern(row[x])
          for byte in 0..<byteCount {
            let place = byteOrder == .littleEndian ? byte : byteCount - 1 - byte
            bytes.append(UInt8(truncatingIfNeeded: pattern >> UInt32(8 * place)))
          }
        }
      }
    }
    return bytes
  }
}
