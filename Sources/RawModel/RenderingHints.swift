/// What the file says of how a rendering should treat it, beyond colour and levels.
///
/// Baselines of the camera, with which programs multiply their own settings. DNG 1.7.1 chapter 4.
package struct RenderingHints: Equatable, Sendable {
  /// Noise at ISO 100 against a reference camera (BaselineNoise, 50731).
  package var baselineNoise: Double
  /// Sharpening that the camera needs against a reference camera (BaselineSharpness, 50732).
  package var baselineSharpness: Double
  /// How much the greens of both rows differ, 0 to 10,000 (BayerGreenSplit, 50733).
  package var bayerGreenSplit: Int
  /// The share of the range over which the response is linear (LinearResponseLimit, 50734).
  package var linearResponseLimit: Double
  /// Radius in pixels of a blur of colour noise (ChromaBlurRadius, 50737); nil leaves it to the reader.
  package var chromaBlurRadius: Double?
  /// Strength of the optical low-pass filter, 0 to 1 (AntiAliasStrength, 50738).
  package var antiAliasStrength: Double
  /// Enlargement that brings out the best quality (BestQualityScale, 50780).
  package var bestQualityScale: Double
  /// Noise reduction that the samples had already, 0 to 1 (NoiseReductionApplied, 50935); nil unknown.
  package var noiseReductionApplied: Double?

  /// The specification's defaults.
  package init(
    baselineNoise: Double = 1,
    baselineSharpness: Double = 1,
    bayerGreenSplit: Int = 0,
    linearResponseLimit: Double = 1,
    chromaBlurRadius: Double? = nil,
    antiAliasStrength: Double = 1,
    bestQualityScale: Double = 1,
    noiseReductionApplied: Double? = nil
  ) {
    self.baselineNoise = baselineNoise
    self.baselineSharpness = baselineSharpness
    self.bayerGreenSplit = bayerGreenSplit
    self.linearResponseLimit = linearResponseLimit
    self.chromaBlurRadius = chromaBlurRadius
    self.antiAliasStrength = antiAliasStrength
    self.bestQualityScale = bestQualityScale
    self.noiseReductionApplied = noiseReductionApplied
  }
}
