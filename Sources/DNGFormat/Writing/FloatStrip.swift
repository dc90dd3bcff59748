internal import Raster
internal import TIFFContainer

/// Floating-point samples as they are.
enum FloatStrip {
  /// All rows in the file's byte order.
  static func bytes(
    _ samples: borrowing Plane<Float>,
    bits: Int,
    byteOrder: TIFFByteOrder
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let byteCount = bits / 8
    bytes.reserveCapacity(samples.width * samples.height * byteCount)
    for y in 0..<samples.height {
      samples.withRow(y) { row in
        for x in row.indices {
          let pattern =
            bits == 16 ? UInt32(Float16(row[x]).bitPattern) : row[x].bitPattern
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
