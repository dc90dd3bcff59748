internal import ColorScience

/// Rebuilds one clipped sample from the other colours beside it and the chroma of the place.
///
/// Let `u` be balanced samples, `v` the same with 1 at white. How far a sample is clipped, `m`, goes from 0
/// at 0.88 to 1 at 0.94 of white, how near it is to clipping, `w`, from 0 at 0.8. The unclipped samples of the
/// other colours and the field's chroma `c` give the brightness `s = sum((1 - m) u) / sum((1 - m) c)` and with
/// it the estimate `s c`. As the last of them comes near clipping too, chroma goes to neutral and the estimate
/// to the neutral of the highest clip level, in the measure of both `w`; and where both others are clipped, the
/// last one goes with them in the measure of its own `w` instead of `m`. The result is
/// `u + m (max(u, estimate) - u)`: never under what was stored, and continuous in it. Ratios of this kind:
/// S. Z. Masood, J. Zhu & M. F. Tappen, "Automatic Correction of Saturated Regions in Photographs using
/// Cross-Channel Correlation", Computer Graphics Forum 28 (2009) 1861.
struct HighlightReconstruction: Sendable {
  /// Share of white up to which a sample is taken as it is, and from which on as clipped.
  ///
  /// Sensors may be full under WhiteLevel: green of three GoPro models is at 0.942 to 0.952 of theirs.
  static let start: Float = 0.88
  static let end: Float = 0.94
  /// Share of white from which on a sample comes near clipping.
  static let nearStart: Float = 0.8
  /// Share of white of the darker of the other colours at which chroma begins to fade, and its range: the
  /// brighter a place is over the first clip level, the more it is light (a lamp, a cloud) and the less a
  /// coloured thing.
  static let fadeStart: Float = 0.55
  static let fadeRange: Float = 0.35

  /// White balance of red, green and blue.
  let gains: [3 of Float]
  /// The neutral at which all are clipped.
  let limit: Float

  init(gains: Vector3) {
    self.gains = [Float(gains.x), Float(gains.y), Float(gains.z)]
    limit = Float(gains.max())
  }

  /// How far samples are clipped, 0 to 1.
  @inline(__always)
  static func clipping(_ value: Lanes) -> Lanes {
    ((value - start) * (1 / (end - start))).smoothStep
  }

  /// How near samples are to clipping, 0 to 1.
  @inline(__always)
  static func nearness(_ value: Lanes) -> Lanes {
    ((value - nearStart) * (1 / (end - nearStart))).smoothStep
  }

  /// Whether a vector has a sample that may change.
  @inline(__always)
  static func mayChange(_ value: Lanes) -> Bool {
    (Lanes(repeating: nearStart) - value).hasNegative
  }

  /// Rebuilds samples.
  ///
  /// `sample`: as stored, or balanced.
  /// `value`: the same with 1 at white.
  /// `unit`: what of a sample a balanced value of 1 is.
  /// `first`: one of the other colours; `second`: the other.
  /// `chroma`: of its colour and of the two others.
  @inline(__always)
  func rebuilt(
    _ sample: Lanes,
    value: Lanes,
    unit: Float,
    _ first: Neighbours,
    _ second: Neighbours,
    chroma: (own: Lanes, first: Lanes, second: Lanes)
  ) -> Lanes {
    let one = Lanes(repeating: 1)
    let neutral = Lanes(repeating: 1.0 / 3)
    let lower = first.level.minimum(second.level)
    let fade = ((lower - Self.fadeStart) * (1 / Self.fadeRange)).smoothStep
    let own = chroma.own + (neutral - chroma.own) * fade
    let a = chroma.first + (neutral - chroma.first) * fade
    let b = chroma.second + (neutral - chroma.second) * fade
    // The more reliable of both counts wholly.
    let scale = one / first.reliance.maximum(second.reliance)
    let p = first.reliance * scale
    let q = second.reliance * scale
    let weight = p * first.weight * a + q * second.weight * b
    let light = p * first.light + q * second.light
    let brightness = light / weight.maximum(Lanes(repeating: 1e-6))
    let known = (p * first.distance + q * second.distance).minimum(one)
    let bounded = (brightness * own).minimum(Lanes(repeating: 4 * limit))
    let estimate = (bounded * known + (one - known) * limit) * unit
    let alone = one - (p * first.weight + q * second.weight).minimum(one)
    let clipping = Self.clipping(value).maximum(Self.nearness(value) * alone)
    return sample + clipping * (sample.maximum(estimate) - sample)
  }
}
