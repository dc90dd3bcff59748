/// How far the samples of two raws are apart, after their linearisation tables.
package struct SampleComparison: Equatable, Sendable {
  /// Samples of the stored frame, masked pixels included.
  package var count: Int64
  /// Samples whose linear values differ.
  package var differing: Int64
  /// Whether the stored samples themselves are the same, number for number.
  package var areStoredSamplesEqual: Bool
  /// The largest difference, in linear codes of the first raw.
  package var worstCodes: Double
  /// Root of the mean square, in the same codes.
  package var rmsCodes: Double
  /// The largest difference in units of the noise's standard deviation at that sample.
  package var worstSigma: Double
  package var rmsSigma: Double
  /// The largest difference in units of half the step between the second raw's code and the next one
  /// in the difference's direction: at most 1 where every sample was rounded to the nearest code.
  package var worstHalfSteps: Double
  /// Peak signal-to-noise ratio in dB, the peak being the range from black to white; nil without any
  /// difference.
  package var psnr: Double?

  package init(
    count: Int64,
    differing: Int64,
    areStoredSamplesEqual: Bool,
    worstCodes: Double,
    rmsCodes: Double,
    worstSigma: Double,
    rmsSigma: Double,
    worstHalfSteps: Double,
    psnr: Double?
  ) {
    self.count = count
    self.differing = differing
    self.areStoredSamplesEqual = areStoredSamplesEqual
    self.worstCodes = worstCodes
    self.rmsCodes = rmsCodes
    self.worstSigma = worstSigma
    self.rmsSigma = rmsSigma
    self.worstHalfSteps = worstHalfSteps
    self.psnr = psnr
  }

  /// Whether every linear value is the same, however it is stored.
  package var areEqual: Bool { differing == 0 }
}
