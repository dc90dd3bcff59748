package import DNGFormat
internal import Digest
package import JSON
package import Raster
internal import RawModel

extension Renderer {
  /// Measures a raw's samples.
  ///
  /// - Parameters:
  ///   - input: The whole file.
  ///   - binCount: Adds histograms of that many bins from black to white.
  ///   - scheduler: The lanes; the numbers do not depend on it.
  ///   - digestPolicy: What it means that the samples don't have the digest that the file states.
  /// - Returns: The document of a statistics output.
  /// - Throws: `decode` for a file that is no supported raw, `statistics` for one that has none.
  package static func statistics(
    _ input: consuming [UInt8],
    binCount: Int?,
    scheduler: TileScheduler,
    digestPolicy: DigestPolicy = .error
  ) throws(RenderError) -> JSONValue {
    let digest = PendingDigest(of: copy input, scheduler: scheduler)
    let frame = try decode(input, scheduler: scheduler, digestPolicy: digestPolicy)
    _ = consume input
    return StatisticsOutput.document(
      try StatisticsOutput.measure(frame, scheduler: scheduler),
      of: frame.description,
      inputSHA256: digest.value,
      binCount: binCount
    )
  }
}
