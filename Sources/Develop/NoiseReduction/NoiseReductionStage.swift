internal import ColorScience
internal import Raster

/// Noise reduction of demosaiced, balanced camera values: luma and chroma apart.
///
/// Each channel goes through `VarianceStabilization` (with the file's noise model), then
/// `Y = (R + 2 G + B) / 4`, `C1 = R - G`, `C2 = B - G`. Luma: undecimated spline wavelets of three
/// scales; each coefficient is shrunk by the BayesShrink threshold `T = sigma^2 / sigma_x` (S. G. Chang,
/// B. Yu & M. Vetterli, "Adaptive Wavelet Thresholding for Image Denoising and Compression", IEEE Trans.
/// Image Process. 9 (2000) 1532), with the signal's `sigma_x` from the coefficients around
/// (S. G. Chang, B. Yu & M. Vetterli, "Spatially Adaptive Wavelet Thresholding with Context Modeling",
/// ibid. 1522) where these are more than noise makes by chance. Chroma: the guided filter (K. He, J. Sun & X. Tang, IEEE TPAMI 35 (2013) 1397) on means of
/// 4x4 pixels, guided by luma (K. He & J. Sun, "Fast Guided Filter", arXiv:1505.00996); where chroma varies
/// by more than noise that luma does not explain, it stays as it is. The noise of each scale is that of
/// `NoiseResponse`. An amount of 0 does nothing, 0.5 of luma is BayesShrink's own threshold, 1 twice that.
/// Version 2.
struct NoiseReductionStage: RegionStage {
  static let name = "noiseReduction"
  static let version = 2
  let halo = 32
  /// `Luma`'s rows and `Chroma`'s, also for a tile of one pixel with its halo.
  let scratchPlaneCount = 6

  /// Pixels to a side of a chroma cell, and cells to each side of one that the guided filter looks at.
  static let cell = 4
  static let radius = 3
  /// Regularisation of the guided filter, in variances of stabilised noise.
  static let guideEpsilon: Float = 2

  /// Variance that luma does not explain, in variances of noise: up to the first the filter is taken
  /// whole, from the second on chroma is structure and stays.
  static let structureStart: Float = 3
  static let structureEnd: Float = 12

  /// Power around a coefficient, in variances of noise: up to the first it is noise's by chance (a mean of few
  /// squares, which exceeds 2.5 in about one place of a hundred), from the second on there is a signal.
  static let chanceStart: Float = 2.5
  static let chanceEnd: Float = 6

  /// The least variance that a signal is taken to have, in variances of noise: thresholds are five times the
  /// strength in deviations at the most, so that a small amount does little everywhere.
  static let signalFloor: Float = 0.04

  let transforms: [3 of VarianceStabilization]
  /// Thresholds are this many times BayesShrink's.
  let lumaStrength: Float
  let chromaAmount: Float
  /// Variance of luma's noise in each scale of wavelets.
  let lumaVariances: [3 of Float]
  /// Variance of the noise of the cells' means of C1 and C2.
  let chromaVariances: (Float, Float)

  /// - Parameters:
  ///   - luminance: Amount, 0 to 1.
  ///   - color: Amount, 0 to 1.
  ///   - noise: Of balanced samples.
  ///   - response: What the demosaic makes of white noise.
  init(luminance: Double, color: Double, noise: NoiseModel, response: NoiseResponse) {
    let noise = noise.bounded
    // Averaging luma takes away about half of a channel's variance, averaging chroma the rest.
    let unbiasing = min(1, luminance) / 2 + color / 2
    func transform(_ channel: Int) -> VarianceStabilization {
      VarianceStabilization(
        slope: noise.slope[channel],
        offset: noise.offset[channel],
        unbiasing: unbiasing
      )
    }
    transforms = [transform(0), transform(1), transform(2)]
    lumaStrength = Float(2 * luminance)
    chromaAmount = Float(color)
    lumaVariances = response.lumaVariances
    chromaVariances = response.chromaVariances
  }
}
