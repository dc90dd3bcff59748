internal import RawModel
internal import TIFFContainer

extension RenderingHints {
  /// The tags of both IFDs; what is damaged or out of range has the specification's default.
  init(_ file: DNGFile, _ warnings: inout ReadWarnings) {
    func number(
      _ tag: TIFFTag,
      _ directory: DNGDirectory,
      in range: ClosedRange<Double>
    ) -> Double? {
      let stored = directory.informative(&warnings) { (tiff) throws(TIFFReadError) in
        try tiff.number(tag)
      }
      guard let value = stored else { return nil }
      guard range.contains(value) else {
        warnings.add("\(directory.site(tag)) is \(value); read as absent")
        return nil
      }
      return value
    }
    let any = 0...Double(UInt32.max)
    self.init()
    baselineNoise = number(.baselineNoise, file.main, in: any) ?? baselineNoise
    baselineSharpness = number(.baselineSharpness, file.main, in: any) ?? baselineSharpness
    linearResponseLimit =
      number(.linearResponseLimit, file.main, in: 0...1) ?? linearResponseLimit
    bayerGreenSplit =
      number(.bayerGreenSplit, file.raw, in: 0...10_000).map { Int($0) } ?? bayerGreenSplit
    chromaBlurRadius = number(.chromaBlurRadius, file.raw, in: any)
    antiAliasStrength = number(.antiAliasStrength, file.raw, in: 0...1) ?? antiAliasStrength
    bestQualityScale = number(.bestQualityScale, file.raw, in: any) ?? bestQualityScale
    noiseReductionApplied = number(.noiseReductionApplied, file.raw, in: 0...1)
  }
}
