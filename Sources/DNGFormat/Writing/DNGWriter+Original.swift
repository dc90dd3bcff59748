internal import Digest
package import Raster
package import RawModel
internal import TIFFContainer

extension DNGWriter {
  /// Writes a raw anew with everything else that its file holds; the parts do not depend on the number
  /// of lanes.
  ///
  /// - Parameters:
  ///   - frame: The source's samples and their meaning.
  ///   - original: What of the source is kept.
  ///   - settings: How samples are coded.
  ///   - previews: Which previews the file gets.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The file and what became of its samples.
  /// - Throws: `DNGWritingError` where the settings can't store such samples, or the file would be over
  ///   4 GiB.
  package static func write(
    _ frame: borrowing RawFrame,
    keeping original: DNGOriginal,
    settings: DNGOutputSettings,
    previews: DNGPreviews = .kept,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> DNGOutput {
    switch frame.samples {
    case .uint16(let samples):
      return try write(
        samples,
        frame.description,
        keeping: original,
        settings: settings,
        previews: previews,
        scheduler: scheduler
      )
    case .uint32: throw .unsupportedSamples(.uint32)
    case .float32: throw .unsupportedSamples(.float32)
    }
  }

  private static func write(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    keeping original: DNGOriginal,
    settings: DNGOutputSettings,
    previews: DNGPreviews,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> DNGOutput {
    let plan = RecodingPlan(samples, description, settings: settings)
    guard let recoding = plan.recoding else {
      var coded = try CodedRaw(
        samples,
        plan.description,
        settings: settings,
        byteOrder: original.byteOrder,
        scheduler: scheduler
      )
      coded.dropped = plan.dropped
      return try assemble(coded, original, settings, previews, isUnchanged: true, error: nil)
    }
    let recoded = try recoding.encode(samples, scheduler: scheduler)
    var coded = try CodedRaw(
      recoded,
      plan.description,
      settings: settings,
      byteOrder: original.byteOrder,
      scheduler: scheduler
    )
    coded.dropped = plan.dropped
    return try assemble(
      coded,
      original,
      settings,
      previews,
      isUnchanged: false,
      error: recoding.error(
        samples,
        as: recoded,
        levels: plan.levels,
        noise: plan.noise
      )
    )
  }

  private static func assemble(
    _ coded: CodedRaw,
    _ original: DNGOriginal,
    _ settings: DNGOutputSettings,
    _ previews: DNGPreviews,
    isUnchanged: Bool,
    error: DNGSampleError?
  ) throws(DNGWritingError) -> DNGOutput {
    var assembly = DNGAssembly(
      original,
      dropping: coded.dropped,
      defaults: coded.defaults,
      coded: coded.directory
    )
    var file = OutputTags(original: original, settings: settings, isUnchanged: isUnchanged)
    assembly.changeFile { file.set(in: &$0, digest: coded.digest, model: coded.cameraModel) }
    let needs = DNGVersionNeeds(
      assembly.directories(previews),
      raw: assembly.raw,
      sourceVersion: original.version
    )
    assembly.changeFile { directory in
      directory.set(.dngVersion, bytes: needs.defining.array)
      directory.set(.dngBackwardVersion, bytes: needs.backward.array)
    }
    let layout = try file.layOut(&assembly, previews)
    return DNGOutput(
      layout,
      report: DNGOutputReport(
        compression: coded.compression,
        bitsPerSample: coded.bitsPerSample,
        isFloatingPoint: false,
        isUnchanged: isUnchanged,
        rawImageDigest: coded.digest,
        leftOut: file.leftOut,
        error: error
      )
    )
  }
}
