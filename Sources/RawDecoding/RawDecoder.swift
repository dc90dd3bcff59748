package import DNGFormat
package import Raster
package import RawModel
internal import TIFFContainer

/// Decodes any supported camera raw; which format it is, its content says.
package enum RawDecoder {
  /// Decodes the raw samples and their description; `digestPolicy` says what it means that they don't
  /// have the digest that the file states, `use` how much of the file must be understood.
  ///
  /// - Throws: `RawDecodeError`.
  package static func decode(
    _ bytes: [UInt8],
    scheduler: TileScheduler,
    limits: DNGReadLimits = DNGReadLimits(),
    digestPolicy: DigestPolicy = .error,
    use: RawUse = .development
  ) throws(RawDecodeError) -> RawFrame {
    try requireDNG(bytes)
    do {
      return try DNGReader.read(
        bytes,
        scheduler: scheduler,
        limits: limits,
        digestPolicy: digestPolicy,
        use: use
      )
    } catch {
      throw .dng(error)
    }
  }

  /// What the samples of a raw mean, without decoding them.
  ///
  /// - Throws: `RawDecodeError`.
  package static func describe(
    _ bytes: [UInt8],
    use: RawUse = .development
  ) throws(RawDecodeError) -> RawDescription {
    try requireDNG(bytes)
    do { return try DNGReader.describe(bytes, use: use) } catch { throw .dng(error) }
  }

  /// Describes a raw file without decoding its samples.
  ///
  /// - Throws: `RawDecodeError`.
  package static func inspect(_ bytes: [UInt8]) throws(RawDecodeError) -> DNGInspection {
    try requireDNG(bytes)
    do { return try DNGReader.inspect(bytes) } catch { throw .dng(error) }
  }

  private static func requireDNG(_ bytes: [UInt8]) throws(RawDecodeError) {
    switch RawContent.classify(bytes) {
    case .dng: return
    case .otherRaw(let kind): throw .unsupportedRaw(kind)
    case .jpeg: throw .notRaw("JPEG")
    case .tiff: throw .notRaw("plain TIFF (no DNGVersion)")
    case .otherImage(let kind): throw .notRaw(kind)
    case .empty: throw .emptyFile
    case .unknown:
      // A broken TIFF has an error that says more than "unknown".
      guard bytes.starts(with: [0x49, 0x49]) || bytes.starts(with: [0x4D, 0x4D]) else {
        throw .unknownFormat
      }
      do {
        _ = try DNGReader.inspect(bytes)
      } catch .container(.notTIFF) {
        throw .unknownFormat
      } catch {
        throw .dng(error)
      }
      throw .unknownFormat
    }
  }
}
