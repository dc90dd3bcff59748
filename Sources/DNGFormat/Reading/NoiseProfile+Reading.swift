internal import RawModel
internal import TIFFContainer

extension NoiseProfile {
  /// NoiseProfile (51041) of the raw IFD, or of IFD 0, where some writers put it; nil without one, and
  /// with a warning for one that is none.
  init?(_ file: DNGFile, planes: Int, _ warnings: inout ReadWarnings) {
    guard let directory = [file.raw, file.main].first(where: { $0.has(.noiseProfile) }) else {
      return nil
    }
    let stored = directory.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.numbers(.noiseProfile, count: 2...64)
    }
    guard let values = stored else { return nil }
    let pairs = stride(from: 0, to: values.count - 1, by: 2).map {
      Plane(scale: values[$0], offset: values[$0 + 1])
    }
    guard values.count == 2 || values.count == 2 * planes,
      // The variance of white must not be negative.
      pairs.allSatisfy({ $0.scale >= 0 && $0.scale + $0.offset >= 0 })
    else {
      warnings.add(
        "\(directory.site(.noiseProfile)) is \(values), no noise of \(planes) planes; read as absent"
      )
      return nil
    }
    self.init(planes: pairs)
  }
}
