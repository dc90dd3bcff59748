package import Raster
package import RawModel
internal import TIFFContainer

/// Reads DNG files (DNG 1.7.1) from memory.
package enum DNGReader {
  /// Decodes the raw image and everything that says what its samples mean.
  ///
  /// Strips and tiles are decoded at the same time on the scheduler's lanes; the result is the same
  /// for any number of them. The samples are checked against the rules of their coding and against
  /// the digest that the file states of them; `digestPolicy` says what a wrong one means, `use` how much of
  /// the file must be understood.
  ///
  /// - Throws: `DNGReadError`, with the lowest damaged tile where several are.
  package static func read(
    _ bytes: [UInt8],
    scheduler: TileScheduler,
    limits: DNGReadLimits = DNGReadLimits(),
    digestPolicy: DigestPolicy = .error,
    use: RawUse = .development
  ) throws(DNGReadError) -> RawFrame {
    let file = try DNGFile(bytes)
    if let feature = try DNGUnsupportedFeature.first(in: file, for: use) {
      throw .unsupported(feature)
    }
    let layout = try RawImageLayout(file, limits: limits)
    var description = try RawDescription(file, layout: layout)
    let samples = try RawSampleDecoder(file: file, layout: layout).decode(scheduler: scheduler)
    if layout.compression == .jpegXL, HalfFloatDoubt.exists(in: samples) {
      description.warnings.append(HalfFloatDoubt.warning)
    }
    if digestPolicy != .ignore, let stated = try StatedDigest(file),
      let finding = try stated.finding(
        samples: samples,
        of: description,
        file: file,
        layout: layout,
        scheduler: scheduler
      )
    {
      if digestPolicy == .error, case .mismatch(let tag, let stated, let computed) = finding {
        throw .digestMismatch(tag: tag, stated: stated, computed: computed)
      }
      description.warnings.append("\(finding)")
    }
    return RawFrame(samples: samples, description: description)
  }

  /// What the samples mean, without decoding them: the description that `read` gives.
  ///
  /// - Throws: `DNGReadError` as `read` does, but for damage within the samples.
  package static func describe(
    _ bytes: [UInt8],
    limits: DNGReadLimits = DNGReadLimits(),
    use: RawUse = .development
  ) throws(DNGReadError) -> RawDescription {
    let file = try DNGFile(bytes)
    if let feature = try DNGUnsupportedFeature.first(in: file, for: use) {
      throw .unsupported(feature)
    }
    return try RawDescription(file, layout: RawImageLayout(file, limits: limits))
  }

  /// Describes the file without decoding its samples; files whose raw image is not supported yet
  /// are described too.
  ///
  /// - Throws: `DNGReadError` where the structure or a tag is broken.
  package static func inspect(_ bytes: [UInt8]) throws(DNGReadError) -> DNGInspection {
    try DNGInspection(DNGFile(bytes))
  }
}
