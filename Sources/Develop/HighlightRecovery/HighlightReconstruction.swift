internal import ColorScience

/// Rebuilds one clipped sample from the other colours beside it and the chroma of the place.
///
/// Let `u` be balanced samples, `v` the same with 1 at white. How far a sample is clipped, `m`, goes from 0
/// at 0.95 to 1 at 0.99 of white, how near it is to clipping, `w`, from 0 at 0.8. The unclipped samples of the
/// other colours and the field's chroma `c` give the brightness `s = sum((1 - m) u) / sum((1 - m) c)` and with
/// it the estimate `s c`. As the last of them comes near clipping too, chroma goes to neutral and the estimate
/// to the neutral of the highest clip level, in the measure of both `w`; and where both others are clipped, the
/// last one goes with them in the measure of its own `w` instead of `m`. The result is
/// `u + m (max(u, estimate) - u)`: never under what was stored, and continuous in it. Ratios of this kind:
/// S. Z. Masood, J. Zhu & M. F. Tappen, "Automatic Correction of Saturated Regions in Photographs using
/// Cross-Channel Correlation", Computer Graphics Forum 28 (2009) 1861.
struct HighlightReconstruction: Sendable {
  /// Share of white up to which a sample is taken as it is, and from which on as clipped.
  static let start: Float = 0.95
  static let end: Float = 0.99
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

  /// What is known of another colour at a sample's place.
  struct Neighbours {
    /// Mean of unclipped balanced samples times their weights, and of the weights.
    var light: Lanes
    var weight: Lanes
    /// Mean of how far from clipping samples are, 0 to 1.
    var distance: Lanes
    /// Mean of all samples, 1 being white.
    var level: Lanes

    @inline(__always)
    init(_ value: Lanes, gain: Float) {
      weight = Lanes(repeating: 1) - HighlightReconstruction.clipping(value)
      light = weight * value * gain
      distance = Lanes(repeating: 1) - HighlightReconstruction.nearness(value)
      level = value
    }

    @inline(__always)
    private init(light: Lanes, weight: Lanes, distance: Lanes, level: Lanes) {
      self.light = light
      self.weight = weight
      self.distance = distance
      self.level = level
    }

    @inline(__always)
    static func + (a: Neighbours, b: Neighbours) -> Neighbours {
      Neighbours(
        light: a.light + b.light,
        weight: a.weight + b.weight,
        distance: a.distance + b.distance,
        level: a.level + b.level
      )
    }

    @inline(__always)
    static func * (a: Neighbours, factor: Float) -> Neighbours {
      Neighbours(
        light: a.light * factor,
        weight: a.weight * factor,
        distance: a.distance * factor,
        level: a.level * factor
      )
    }
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
    let weight = first.weight * a + second.weight * b
    let brightness = (first.light + second.light) / weight.maximum(Lanes(repeating: 1e-6))
    let known = (first.distance + second.distance).minimum(one)
    let bounded = (brightness * own).minimum(Lanes(repeating: 4 * limit))
    let estimate = (bounded * known + (one - known) * limit) * unit
    let alone = one - (first.weight + second.weight).minimum(one)
    let clipping = Self.clipping(value).maximum(Self.nearness(value) * alone)
    return sample + clipping * (sample.maximum(estimate) - sample)
  }
}
