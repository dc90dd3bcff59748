package import Digest
internal import Raster
package import RawModel
internal import TIFFContainer

/// Digests of the stored samples.
package enum RawImageDigest {
  /// SHA-256 of the stored samples before any linearisation, row by row, little-endian: one byte a
  /// sample up to 8 bits, two up to 16, four above.
  ///
  /// Floating-point samples of 16 bits are hashed as two bytes, those of 24 bits widened to four.
  package static func mosaicSHA256(_ frame: borrowing RawFrame) -> SHA256Digest {
    let bits = frame.description.bitsPerSample
    switch frame.samples {
    case .uint16(let plane):
      return sha256(plane, bytesPerSample: bits <= 8 ? 1 : 2) { UInt64($0) }
    case .uint32(let plane):
      return sha256(plane, bytesPerSample: 4) { UInt64($0) }
    case .float32(let plane) where bits == 16:
      return sha256(plane, bytesPerSample: 2) { UInt64(Float16($0).bitPattern) }
    case .float32(let plane):
      return sha256(plane, bytesPerSample: 4) { UInt64($0.bitPattern) }
    }
  }

  /// The digest of the samples' low bytes, lowest first.
  private static func sha256<Sample: BitwiseCopyable>(
    _ plane: borrowing Plane<Sample>,
    bytesPerSample: Int,
    _ bits: (Sample) -> UInt64
  ) -> SHA256Digest {
    var hash = SHA256()
    var bytes = [UInt8](repeating: 0, count: plane.width * bytesPerSample)
    for y in 0..<plane.height {
      plane.withRow(y) { row in
        for index in row.indices {
          let value = bits(row[index])
          for byte in 0..<bytesPerSample {
            bytes[index * bytesPerSample + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
          }
        }
      }
      hash.update(bytes)
    }
    return hash.finalize()
  }

  /// The file's NewRawImageDigest (51111), or nil without one or for zeros alone.
  ///
  /// - Throws: `container` where it is not 16 bytes.
  static func stated(in file: DNGFile) throws(DNGReadError) -> MD5Digest? {
    guard let bytes = try file.main.integers(.newRawImageDigest, count: 16...16) else {
      return nil
    }
    // Writers that don't compute it leave it zero, which no samples' digest is in practice.
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
    return MD5Digest(bytes: bytes.map(UInt8.init(truncatingIfNeeded:)))
  }

  /// Compares the samples with the file's NewRawImageDigest, where it has one.
  ///
  /// Samples count as one byte with a LinearizationTable of at most 256 entries.
  ///
  /// - Throws: `digestMismatch`, `container`.
  static func check(
    _ samples: borrowing Plane<UInt16>,
    of description: RawDescription,
    file: DNGFile,
    scheduler: TileScheduler
  ) throws(DNGReadError) {
    guard let stated = try stated(in: file) else { return }
    let isByte =
      description.bitsPerSample <= 8
      || description.linearizationTable.map { $0.count <= 256 } ?? false
    let computed = NewRawImageDigest.digest(
      of: samples,
      samplesPerPixel: description.layout.samplesPerPixel,
      isByte: isByte,
      scheduler: scheduler
    )
    guard computed == stated else {
      throw .digestMismatch(stated: stated.hex, computed: computed.hex)
    }
  }
}
