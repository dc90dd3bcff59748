internal import ColorScience

/// The generalised Anscombe transform: samples whose noise grows with their value, to samples whose noise
/// has variance 1 everywhere.
///
/// `D = (2 / S) sqrt(S x + 3/8 S^2 + O)` for a variance of `S x + O`. F. Murtagh, J.-L. Starck & A.
/// Bijaoui, "Image restoration with noise suppression using a multiresolution support", Astron. Astrophys.
/// Suppl. 112 (1995) 179. Back by the closed form of the exact unbiased inverse: M. Makitalo & A. Foi,
/// "Optimal Inversion of the Generalized Anscombe Transformation for Poisson-Gaussian Noise", IEEE Trans.
/// Image Process. 22 (2013) 91. Version 1.
struct VarianceStabilization {
  private let slope: Lanes
  /// `3/8 S^2 + O`.
  private let start: Lanes
  private let scale: Lanes
  private let quarterSlope: Lanes
  /// `3/8 S + O / S`: what the square of `D` is above the value.
  private let shift: Lanes
  /// How much of the bias that averaging in the transformed domain makes is taken back.
  private let unbiasing: Lanes

  /// - Parameters:
  ///   - slope: `S`, above 0.
  ///   - offset: `O`, not negative.
  ///   - unbiasing: 0 for samples that were not averaged, for which the algebraic inverse is right, to 1
  ///     for samples without noise.
  init(slope: Double, offset: Double, unbiasing: Double) {
    self.slope = Lanes(repeating: Float(slope))
    start = Lanes(repeating: Float(0.375 * slope * slope + offset))
    scale = Lanes(repeating: Float(2 / slope))
    quarterSlope = Lanes(repeating: Float(slope / 4))
    shift = Lanes(repeating: Float(0.375 * slope + offset / slope))
    self.unbiasing = Lanes(repeating: Float(slope * unbiasing))
  }

  @inline(__always)
  func stabilized(_ x: Lanes) -> Lanes {
    (x * slope + start).portableSquareRoot * scale
  }

  @inline(__always)
  func restored(_ d: Lanes) -> Lanes {
    // sqrt(3/2) / 4, 11/8 and 5/8 sqrt(3/2) of the paper's equation (13); its -1/8 is the 3/8 of the
    // algebraic inverse and a quarter, which belongs to the bias.
    let inverse = Lanes(repeating: 1) / d.maximum(Lanes(repeating: 1))
    let inner = inverse * 0.765_465_5 - 1.375
    let bias = (inner * inverse + 0.306_186_2) * inverse + 0.25
    return d * d * quarterSlope - shift + bias * unbiasing
  }
}
