package import Raster
package import RawModel
internal import TIFFContainer

/// Reads DNG files (DNG 1.7.1) from memory.
package enum DNGReader {
  /// Decodes the raw image and everything that says what its samples mean.
  ///
  /// Strips and tiles are decoded at the same time on the scheduler's lanes; the result is the same
  /// for any number of them. The samples are checked against the rules of their coding and against
  /// NewRawImageDigest where the file has one.
  ///
  /// - Throws: `DNGReadError`, with the lowest damaged tile where several are.
  package static func read(
    _ bytes: [UInt8],
    scheduler: TileScheduler,
    limits: DNGReadLimits = DNGReadLimits()
  ) throws(DNGReadError) -> RawFrame {
    let file = try DNGFile(bytes)
    if let feature = try DNGUnsupportedFeature.first(in: file) { throw .unsupported(feature) }
    let layout = try RawImageLayout(file, limits: limits)
    let description = try RawDescription(file, layout: layout)
    let samples = try RawSampleDecoder(file: file, layout: layout).decode(scheduler: scheduler)
    try RawImageDigest.check(samples, of: description, file: file, scheduler: scheduler)
    return RawFrame(samples: samples, description: description)
  }

  /// What the samples mean, without decoding them: the description that `read` gives.
  ///
  /// - Throws: `DNGReadError` as `read` does, but for damage within the samples.
  package static func describe(
    _ bytes: [UInt8],
    limits: DNGReadLimits = DNGReadLimits()
  ) throws(DNGReadError) -> RawDescription {
    let file = try DNGFile(bytes)
    if let feature = try DNGUnsupportedFeature.first(in: file) { throw .unsupported(feature) }
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
