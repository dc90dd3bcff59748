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
    activeArea: Region
  ) throws(DNGReadError) {
    let samples = image.samplesPerPixel
    // DNG 1.7.1, "LinearizationTable": SHORT, as many as there are stored codes at the most.
    linearizationTable = try raw.integers(.linearizationTable, count: 1...65_536)?
      .map(UInt16.init(truncatingIfNeeded:))
    black = try Self.black(raw, samples: samples, activeArea: activeArea)

    if let stored = try raw.numbers(.whiteLevel, count: 1...max(1, samples)) {
      guard stored.count == samples else {
        throw raw.inconsistent(
          .whiteLevel,
          "has \(stored.count) values for \(samples) samples a pixel"
        )
      }
      white = stored
    } else {
      // DNG 1.7.1, "WhiteLevel": 2^BitsPerSample - 1, and 1.0 for floating-point samples.
      let bits = min(32, image.bitsPerSample.max() ?? 16)
      let full = image.sampleFormat == 3 ? 1 : Double((1 << bits) - 1)
      white = Array(repeating: full, count: samples)
    }
    try check()
  }

  private static func black(
    _ raw: DNGDirectory,
    samples: Int,
    activeArea: Region
  ) throws(DNGReadError) -> BlackLevel {
    let repeatDimension =
      try raw.integers(.blackLevelRepeatDim, count: 2...2) ?? [1, 1]
    guard repeatDimension.allSatisfy({ (1...4096).contains($0) }) else {
      throw raw.inconsistent(
        .blackLevelRepeatDim,
        "is \(repeatDimension[0])x\(repeatDimension[1]); expected 1 to 4096 each way"
      )
    }
    // Both are at most 4096 and samples at most 65,535: the product fits.
    let count = repeatDimension[0] * repeatDimension[1] * samples
    let values = try raw.numbers(.blackLevel, count: 1...(1 << 24))
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
