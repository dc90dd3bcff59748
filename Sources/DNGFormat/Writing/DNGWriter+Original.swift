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
  ///   - isDemosaiced: Whether the source was a mosaic of which the frame was made, with OpcodeLists 1 and
  ///     2 applied: what says otherwise is then left out.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The file and what became of its samples.
  /// - Throws: `DNGWritingError` where the settings can't store such samples, or the file would be over
  ///   4 GiB.
  package static func write(
    _ frame: borrowing RawFrame,
    keeping original: DNGOriginal,
    settings: DNGOutputSettings,
    previews: DNGPreviews = .kept,
    isDemosaiced: Bool = false,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> DNGOutput {
    let request = Request(
      original: original,
      settings: settings,
      previews: previews,
      isDemosaiced: isDemosaiced,
      scheduler: scheduler
    )
    let description = frame.description
    if frame.samples.kind != .uint16, let bits = RecodingPlan.bits(description, settings) {
      return try write(frame.samples, description, integersOf: bits, request)
    }
    switch frame.samples {
    case .uint16(let samples):
      switch settings.bitDepth {
      case .source, .integer: return try write(samples, description, request)
      case .float16:
        return try write(samples, FloatConversion(description, bits: 16), request)
      case .float32:
        return try write(samples, FloatConversion(description, bits: 32), request)
      }
    case .float32(let samples):
      switch settings.bitDepth {
      // 24 bits are a format for cameras; 32 hold them.
      case .source:
        let bits = description.bitsPerSample == 16 ? 16 : 32
        return try write(samples, description, bits: bits, request)
      case .float16: return try write(samples, description, bits: 16, request)
      case .float32: return try write(samples, description, bits: 32, request)
      // Taken above.
      case .integer: throw .unsupportedSamples(.float32)
      }
    case .uint32(let samples):
      // Half of their bits would not fit a float, and the spread of light is not known to need them.
      guard settings.bitDepth == .source else { throw .unsupportedSamples(.uint32) }
      let coded = try CodedRaw(
        samples,
        description,
        settings: settings,
        byteOrder: original.byteOrder,
        scheduler: scheduler
      )
      return try assemble(coded, request, isUnchanged: true, error: nil)
    }
  }

  /// All that does not depend on the samples.
  private struct Request {
    let original: DNGOriginal
    let settings: DNGOutputSettings
    let previews: DNGPreviews
    let isDemosaiced: Bool
    let scheduler: TileScheduler
  }

  /// Integers.
  private static func write(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    _ request: Request
  ) throws(DNGWritingError) -> DNGOutput {
    let plan = RecodingPlan(samples, description, settings: request.settings)
    guard let recoding = plan.recoding else {
      return try encode(samples, plan.description, plan.dropped, nil, request)
    }
    let recoded = try recoding.encode(samples, scheduler: request.scheduler)
    let error = recoding.error(samples, as: recoded, levels: plan.levels, noise: plan.noise)
    return try encode(recoded, plan.description, plan.dropped, error, request)
  }

  private static func encode(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    _ dropped: Set<TIFFTag>,
    _ error: DNGSampleError?,
    _ request: Request
  ) throws(DNGWritingError) -> DNGOutput {
    var coded = try CodedRaw(
      samples,
      description,
      settings: request.settings,
      byteOrder: request.original.byteOrder,
      scheduler: request.scheduler
    )
    coded.dropped = dropped
    // What a lossy coding does to the samples, its decoder alone can tell.
    let isUnchanged = error == nil && request.settings.quality == 1
    return try assemble(coded, request, isUnchanged: isUnchanged, error: error)
  }

  /// Other samples as integers of 8 to 16 bits.
  private static func write(
    _ samples: borrowing StoredSamples,
    _ source: RawDescription,
    integersOf bits: Int,
    _ request: Request
  ) throws(DNGWritingError) -> DNGOutput {
    let conversion = try IntegerConversion(samples, source, bits: bits, settings: request.settings)
    var error: DNGSampleError?
    let codes = try conversion.convert(samples, error: &error)
    var coded = try CodedRaw(
      codes,
      conversion.description,
      settings: request.settings,
      byteOrder: request.original.byteOrder,
      scheduler: request.scheduler
    )
    coded.replaceLevels()
    return try assemble(coded, request, isUnchanged: false, error: error)
  }

  /// Integers as floating point.
  private static func write(
    _ samples: borrowing Plane<UInt16>,
    _ conversion: FloatConversion,
    _ request: Request
  ) throws(DNGWritingError) -> DNGOutput {
    let converted = try conversion.convert(samples, scheduler: request.scheduler)
    var coded = try CodedRaw(
      converted,
      conversion.description,
      settings: request.settings,
      byteOrder: request.original.byteOrder,
      scheduler: request.scheduler
    )
    coded.dropped = DNGTagSets.levels.union([.imageStats])
    let error = conversion.error(samples, as: converted, noise: conversion.noise)
    return try assemble(coded, request, isUnchanged: false, error: error)
  }

  /// Floating point.
  private static func write(
    _ samples: borrowing Plane<Float>,
    _ description: RawDescription,
    bits: Int,
    _ request: Request
  ) throws(DNGWritingError) -> DNGOutput {
    let isShortened = bits < description.bitsPerSample
    var description = description
    description.bitsPerSample = bits
    guard isShortened else {
      let coded = try coded(samples, description, request)
      return try assemble(coded, request, isUnchanged: true, error: nil)
    }
    var coded = try coded(FloatConversion.rounded(samples), description, request)
    coded.dropped = [.imageStats]
    return try assemble(coded, request, isUnchanged: false, error: nil)
  }

  private static func coded(
    _ samples: borrowing Plane<Float>,
    _ description: RawDescription,
    _ request: Request
  ) throws(DNGWritingError) -> CodedRaw {
    try CodedRaw(
      samples,
      description,
      settings: request.settings,
      byteOrder: request.original.byteOrder,
      scheduler: request.scheduler
    )
  }

  private static func assemble(
    _ coded: CodedRaw,
    _ request: Request,
    isUnchanged: Bool,
    error: DNGSampleError?
  ) throws(DNGWritingError) -> DNGOutput {
    let original = request.original
    let isUnchanged = isUnchanged && !request.isDemosaiced
    var coded = coded
    if request.isDemosaiced { coded.replaceMosaic() }
    var assembly = DNGAssembly(
      original,
      dropping: coded.dropped,
      defaults: coded.defaults,
      coded: coded.directory
    )
    var file = OutputTags(original: original, settings: request.settings, isUnchanged: isUnchanged)
    assembly.changeFile { file.set(in: &$0, digest: coded.digest, model: coded.cameraModel) }
    let needs = DNGVersionNeeds(
      assembly.directories(request.previews),
      raw: assembly.raw,
      sourceVersion: original.version
    )
    assembly.changeFile { directory in
      directory.set(.dngVersion, bytes: needs.defining.array)
      directory.set(.dngBackwardVersion, bytes: needs.backward.array)
    }
    let layout = try file.layOut(&assembly, request.previews)
    return DNGOutput(
      layout,
      report: DNGOutputReport(
        compression: coded.compression,
        bitsPerSample: coded.bitsPerSample,
        isFloatingPoint: coded.isFloatingPoint,
        isUnchanged: isUnchanged,
        rawImageDigest: coded.digest,
        libraries: coded.libraries,
        leftOut: file.leftOut,
        error: error
      )
    )
  }
}
