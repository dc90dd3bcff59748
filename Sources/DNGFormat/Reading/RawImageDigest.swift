package import Digest
internal import Raster
package import RawModel
internal import TIFFContainer

/// Digests of the stored samples.
package enum RawImageDigest {
  /// SHA-256 of the stored samples before any linearisation, row by row, little-endian: one byte a
  /// sample up to 8 bits, two up to 16, four above and for floating point of any depth (widened).
  package static func mosaicSHA256(_ frame: borrowing RawFrame) -> SHA256Digest {
    switch frame.samples {
    case .uint16(let plane):
      sha256(plane, bytesPerSample: frame.description.bitsPerSample <= 8 ? 1 : 2) { UInt32($0) }
    case .uint32(let plane):
      sha256(plane, bytesPerSample: 4) { $0 }
    case .float32(let plane):
      sha256(plane, bytesPerSample: 4) { $0.bitPattern }
    }
  }

  /// The digest of the samples' low bytes, lowest first.
  private static func sha256<Sample: BitwiseCopyable>(
    _ plane: borrowing Plane<Sample>,
    bytesPerSample: Int,
    _ bits: (Sample) -> UInt32
  ) -> SHA256Digest {
    var hash = SHA256()
    var bytes = [UInt8](repeating: 0, count: plane.width * bytesPerSample)
    for y in 0..<plane.height {
      plane.withRow(y) { row in
        for index in row.indices {
          let value = bits(row[index])
          for byte in 0..<bytesPerSample {
            bytes[index * bytesPerSample + byte] = UInt8(
              truncatingIfNeeded: value >> UInt32(8 * byte)
            )
          }
        }
      }
      hash.update(bytes)
    }
    return hash.finalize()
  }
}
