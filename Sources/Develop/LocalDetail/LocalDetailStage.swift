internal import ColorScience
internal import Raster

/// Sharpening, fine detail and local contrast of luminance, after the tone curve.
///
/// Works on `p = sqrt(Y + 2^-10)` of linear luminance, about as the eye sees lightness; all channels are
/// multiplied by `(p' / p)^2`, so that hue and saturation stay. Three bands are added to `p`:
///
/// - sharpness: an unsharp mask, `p` less a Gaussian of 0.8 pixels, with what is under the noise taken out
///   of it (soft threshold) and faded out where the band's power is that of noise (edge mask);
/// - detail: `p` less a smoothing of about 2.5 pixels, thresholded too, and held back at strong edges, where
///   it would draw a line along them;
/// - contrast: `p` less the base of a guided filter (K. He, J. Sun & X. Tang, IEEE TPAMI 35 (2013) 1397) of
///   16 pixels in a picture of 12 megapixels, which keeps edges and so makes no halos.
///
/// What sharpness and detail add may leave the range of the eight neighbours by a fifth of it at the most. The
/// noise is that of the file's model, carried through the tone curve (`ToneResponse`). Version 1.
struct LocalDetailStage: RegionStage {
  static let name = "localDetail"

  /// 0 to 1, 0 to 3 and 0 to 1, times the strengths below.
  let sharpness: Float
  let detail: Float
  let contrast: Float
  /// Weights of the Gaussian: the middle, one and two pixels away.
  let gaussian: [3 of Float]
  /// Distance of the taps of the detail band's smoothing.
  let step: Int
  /// Radius of the guided filter, in cells of four pixels.
  let radius: Int
  /// Noise of `p` as a polynomial in `p`, from the constant.
  let noise: [4 of Float]

  static let offset: Float = 0x1p-10
  static let sharpnessStrength: Float = 1.5
  static let detailStrength: Float = 0.5
  static let contrastStrength: Float = 0.6
  /// Bands of this size are halved.
  static let detailLimit: Float = 0.08
  static let contrastLimit: Float = 0.15
  /// Deviations of noise that are not sharpened.
  static let threshold: Float = 1
  /// Variance of `p` that the guided filter takes for texture.
  static let epsilon: Float = 0.004
  static let overshoot: Float = 0.2

  /// Nil where all amounts are 0.
  ///
  /// `scale`: pixels of the picture for one of the raw.
  /// `pixelCount`: of the picture.
  init?(
    sharpness: Double,
    detail: Double,
    contrast: Double,
    scale: Double,
    pixelCount: Int,
    noise: [4 of Float]
  ) {
    guard sharpness > 0 || detail > 0 || contrast > 0 else { return nil }
    self.sharpness = Float(sharpness) * Self.sharpnessStrength
    self.detail = Float(detail) * Self.detailStrength
    self.contrast = Float(contrast) * Self.contrastStrength
    self.noise = noise
    let sigma = max(0.8 * scale, 0.4)
    let near = PortableMath.exp(-1 / (2 * sigma * sigma))
    let far = PortableMath.exp(-4 / (2 * sigma * sigma))
    let sum = 1 + 2 * (near + far)
    gaussian = [Float(1 / sum), Float(near / sum), Float(far / sum)]
    step = scale < 0.75 ? 1 : 2
    let pixels = 16 * (Double(pixelCount) / 12e6).squareRoot()
    radius = min(max(Int((pixels / 4).rounded()), 1), 8)
  }

  /// The Gaussian's two pixels, the smoothing's reach and the neighbours' one.
  static let fineHalo = 8

  var halo: Int { contrast > 0 ? CellGrid.halo(reach: 2 * radius) : Self.fineHalo }

  /// Rows of `Bands`; with local contrast cells, for a tile of one pixel with its halo too.
  var scratchPlaneCount: Int { contrast > 0 ? 4 : 5 }
}
