internal import Raster
internal import RawModel
internal import TIFFContainer

/// Where black and white lie: LinearizationTable, BlackLevel with its deltas, WhiteLevel.
struct RawLevels {
  let linearizationTable: [UInt16]?
  let black: BlackLevel
  /// One for each sample of a pixel.
  let white: [Double]

  /// - Throws: `container`, `inconsistentTag`, `whiteLevelNotPositive`, `blackNotBelowWhite`.
  init(
    _ raw: DNGDirectory,
    image: DNGInspection.Image,
    activeArea: Region,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let samples = image.samplesPerPixel
    // DNG 1.7.1, "LinearizationTable": SHORT, as many as there are stored codes at the most.
    linearizationTable = try raw.integers(.linearizationTable, count: 1...65_536)?
      .map(UInt16.init(truncatingIfNeeded:))
    let layout = Layout(samples: samples, isMosaic: image.photometric == .colorFilterArray)
    black = try Self.black(raw, layout, activeArea: activeArea, &warnings)

    if let stored = try raw.numbers(.whiteLevel, count: 1...max(4, samples)) {
      white = try Self.white(raw, stored, samples: samples, &warnings)
    } else {
      // DNG 1.7.1, "WhiteLevel": 2^BitsPerSample - 1, and 1.0 for floating-point samples.
      let bits = min(32, image.bitsPerSample.max() ?? 16)
      let full = image.sampleFormat == 3 ? 1 : Double((1 << bits) - 1)
      white = Array(repeating: full, count: samples)
    }
    try check()
  }

  private struct Layout {
    let samples: Int
    let isMosaic: Bool
  }

  /// As many levels as samples; one level given once or too often means the same for each sample.
  private static func white(
    _ raw: DNGDirectory,
    _ stored: [Double],
    samples: Int,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) -> [Double] {
    if stored.count == samples { return stored }
    guard let level = stored.first, stored.allSatisfy({ $0 == level }) else {
      throw raw.inconsistent(
        .whiteLevel,
        "has \(stored.count) values for \(samples) samples a pixel"
      )
    }
    warnings.add(
      "\(raw.site(.whiteLevel)) has \(stored.count) values for \(samples) samples a pixel; read as "
        + "\(level) for each"
    )
    return Array(repeating: level, count: samples)
  }

  private static func black(
    _ raw: DNGDirectory,
    _ layout: Layout,
    activeArea: Region,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) -> BlackLevel {
    let samples = layout.samples
    var repeatDimension =
      try raw.integers(.blackLevelRepeatDim, count: 2...2) ?? [1, 1]
    guard repeatDimension.allSatisfy({ (1...4096).contains($0) }) else {
      throw raw.inconsistent(
        .blackLevelRepeatDim,
        "is \(repeatDimension[0])x\(repeatDimension[1]); expected 1 to 4096 each way"
      )
    }
    // Both are at most 4096 and samples at most 65,535: the product fits.
    var count = repeatDimension[0] * repeatDimension[1] * samples
    var values = try raw.numbers(.blackLevel, count: 1...(1 << 24))
    if let stored = values, stored.count != count, !raw.has(.blackLevelRepeatDim) {
      // The default is one level for each sample. Writers that leave the dimensions out give one for
      // all samples, or one for each photosite of a Bayer cell.
      if stored.count == 4, layout.isMosaic {
        repeatDimension = [2, 2]
        count = 4
      } else if stored.count == 1 {
        values = Array(repeating: stored[0], count: count)
      }
      if values?.count == count {
        warnings.add(
          "\(raw.site(.blackLevel)) has \(stored.count) values without BlackLevelRepeatDim; read as "
            + (stored.count == 4 ? "one for each photosite of the 2x2 cell" : "one for all samples")
        )
      }
    }
    if let values, values.count != count {
      throw raw.inconsistent(
        .blackLevel,
        "has \(values.count) values for a pattern of \(repeatDimension[0])x\(repeatDimension[1]) "
          + "and \(samples) samples a pixel"
      )
    }
    let deltaH = try delta(raw, .blackLevelDeltaH, count: activeArea.width, "columns")
    let deltaV = try delta(raw, .blackLevelDeltaV, count: activeArea.height, "rows")
    guard let values else {
      return BlackLevel(
        repeatRows: 1,
        repeatColumns: 1,
        samplesPerPixel: samples,
        values: Array(repeating: 0, count: samples),
        deltaH: deltaH,
        deltaV: deltaV
      )
    }
    return BlackLevel(
      repeatRows: repeatDimension[0],
      repeatColumns: repeatDimension[1],
      samplesPerPixel: samples,
      values: values,
      deltaH: deltaH,
      deltaV: deltaV
    )
  }

  private static func delta(
    _ raw: DNGDirectory,
    _ tag: TIFFTag,
    count: Int,
    _ what: String
  ) throws(DNGReadError) -> [Double] {
    guard let values = try raw.numbers(tag, count: 1...Int(Int32.max)) else { return [] }
    guard values.count == count else {
      throw raw.inconsistent(
        tag,
        "has \(values.count) values for the active area's \(count) \(what)"
      )
    }
    return values
  }

  /// Each sample must have a range: its white above 0 and above its highest black.
  private func check() throws(DNGReadError) {
    for (sample, white) in white.enumerated() {
      guard white > 0 else { throw .whiteLevelNotPositive(sample: sample, white: white) }
      let highest = black.highest(sample: sample)
      guard highest < white else {
        throw .blackNotBelowWhite(sample: sample, black: highest, white: white)
      }
    }
  }
}
