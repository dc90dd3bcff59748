package import Digest
internal import Raster
package import RawModel
internal import TIFFContainer

/// Digests of the stored samples.
package enum RawImageDigest {
  /// SHA-256 of the stored samples before any linearisation, row by row: one byte a sample up to 8
  /// bits, two in little-endian order above.
  package static func mosaicSHA256(_ frame: borrowing RawFrame) -> SHA256Digest {
    var hash = SHA256()
    let isByte = frame.description.bitsPerSample <= 8
    var row = [UInt8](repeating: 0, count: frame.samples.width * (isByte ? 1 : 2))
    for y in 0..<frame.samples.height {
      frame.samples.withRow(y) { samples in
        store(samples, isByte: isByte, into: &row)
      }
      hash.update(row)
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

  /// Stores samples as bytes; `bytes` has room for all of them.
  private static func store(_ samples: Span<UInt16>, isByte: Bool, into bytes: inout [UInt8]) {
    for index in samples.indices {
      let sample = samples[index]
      if isByte {
        bytes[index] = UInt8(truncatingIfNeeded: sample)
      } else {
        bytes[2 * index] = UInt8(truncatingIfNeeded: sample)
        bytes[2 * index + 1] = UInt8(truncatingIfNeeded: sample >> 8)
      }
    }
  }
}
