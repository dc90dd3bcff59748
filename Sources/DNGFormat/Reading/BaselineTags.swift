internal import RawModel
internal import TIFFContainer

/// The tags of IFD 0 that set the default rendering's brightness.
struct BaselineTags {
  /// EV.
  let exposure: Double
  /// EV.
  let exposureOffset: Double
  let shadowScale: Double
  let isDefaultBlackNone: Bool

  /// - Throws: `container`, `inconsistentTag`.
  init(_ main: DNGDirectory) throws(DNGReadError) {
    exposure = try main.knownNumber(.baselineExposure) ?? 0
    exposureOffset = try main.knownNumber(.baselineExposureOffset) ?? 0
    shadowScale = try main.knownNumber(.shadowScale) ?? 1
    guard shadowScale > 0 else {
      throw main.inconsistent(.shadowScale, "is \(shadowScale); it must be above 0")
    }
    isDefaultBlackNone = try main.integer(.defaultBlackRender, in: 0...1) == 1
  }
}

extension Orientation {
  /// Orientation (274) of IFD 0; 1 where it is missing or no orientation (cameras that don't know
  /// theirs write 0).
  ///
  /// - Throws: `container`.
  init(_ main: DNGDirectory, _ warnings: inout ReadWarnings) throws(DNGReadError) {
    let value = try main.integer(.orientation) ?? 1
    if let orientation = Orientation(rawValue: value) {
      self = orientation
    } else {
      warnings.add("\(main.site(.orientation)) is \(value); read as 1")
      self = .up
    }
  }
}
