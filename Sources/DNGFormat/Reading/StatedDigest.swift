internal import Digest
internal import Raster
internal import RawModel
internal import TIFFContainer

/// The digest that a file states of its raw image, and whether the image has it.
struct StatedDigest {
  let tag: TIFFTag
  let value: MD5Digest

  /// NewRawImageDigest, else RawImageDigest; nil without either and for zeros alone.
  ///
  /// - Throws: `container` where a tag is not 16 bytes.
  init?(_ file: DNGFile) throws(DNGReadError) {
    for tag in [TIFFTag.newRawImageDigest, .rawImageDigest] {
      guard let bytes = try file.main.integers(tag, count: 16...16) else { continue }
      // Writers that don't compute it leave it zero, which no samples' digest is in practice.
      guard bytes.contains(where: { $0 != 0 }) else { continue }
      guard let value = MD5Digest(bytes: bytes.map(UInt8.init(truncatingIfNeeded:))) else {
        continue
      }
      self.tag = tag
      self.value = value
      return
    }
    return nil
  }

  /// What the comparison with the file's image says; nil where it agrees.
  func finding(
    samples: borrowing StoredSamples,
    of description: RawDescription,
    file: DNGFile,
    layout: RawImageLayout,
    scheduler: TileScheduler
  ) throws(DNGReadError) -> DigestFinding? {
    // Images that may be lossy state a digest of their compressed tiles: other decoders round in
    // another way. Writers of lossless JPEG XL may state either.
    if layout.compression == .lossyJPEG || layout.compression == .jpegXL {
      let computed = CompressedDigest(bytes: file.tiff.bytes, layout: layout).digests(scheduler)
      if computed.contains(value) { return nil }
      if layout.compression == .lossyJPEG {
        return mismatch(computed.first ?? value)
      }
    }
    let computed = digest(of: samples, description, scheduler)
    if computed == value { return nil }
    // Floating-point images of fewer bits: the reference writer states the digest of the 32-bit
    // samples that it rounded.
    if description.sampleFormat == .floatingPoint, description.bitsPerSample < 32 {
      return .unchecked(
        tag: "\(tag)",
        reason: "it may be that of the samples before they were rounded to "
          + "\(description.bitsPerSample) bits"
      )
    }
    return mismatch(computed)
  }

  private func mismatch(_ computed: MD5Digest) -> DigestFinding {
    .mismatch(tag: "\(tag)", stated: value.hex, computed: computed.hex)
  }

  private func digest(
    of samples: borrowing StoredSamples,
    _ description: RawDescription,
    _ scheduler: TileScheduler
  ) -> MD5Digest {
    let samplesPerPixel = description.layout.samplesPerPixel
    let isNew = tag == .newRawImageDigest
    switch samples {
    case .uint16(let plane):
      guard isNew else { return RowDigest.digest(of: plane) }
      // Samples count as one byte with a LinearizationTable of at most 256 entries.
      let isByte =
        description.bitsPerSample <= 8
        || description.linearizationTable.map { $0.count <= 256 } ?? false
      return NewRawImageDigest.digest(
        of: plane,
        samplesPerPixel: samplesPerPixel,
        isByte: isByte,
        scheduler: scheduler
      )
    case .uint32(let plane):
      guard isNew else { return RowDigest.digest(of: plane) }
      return NewRawImageDigest.digest(
        of: plane,
        samplesPerPixel: samplesPerPixel,
        scheduler: scheduler
      )
    case .float32(let plane):
      guard isNew else { return RowDigest.digest(of: plane) }
      return NewRawImageDigest.digest(
        of: plane,
        samplesPerPixel: samplesPerPixel,
        scheduler: scheduler
      )
    }
  }
}

/// RawImageDigest (50972): the MD5 of all samples in row order, 16 or 32 bits each, little endian.
private enum RowDigest {
  static func digest<Sample: BitwiseCopyable>(of plane: borrowing Plane<Sample>) -> MD5Digest {
    var hash = MD5()
    for y in 0..<plane.height {
      // Samples have no padding, and every supported processor is little-endian.
      plane.withRow(y) { row in unsafe hash.update(row.bytes) }
    }
    return hash.finalize()
  }
}
