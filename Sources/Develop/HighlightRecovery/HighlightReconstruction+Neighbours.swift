extension HighlightReconstruction {
  /// What is known of another colour at a sample's place.
  ///
  /// Across an edge neighbours are of two things, and the brighter one is that of a clipped sample: of a pair
  /// of opposite neighbours each counts from half of the brighter one's value on, wholly from 0.8 of it; and a
  /// pair of alike ones, which lies along the edge, counts more than one across.
  struct Neighbours {
    /// Least weight of a neighbour and of a pair, so that something always counts.
    private static let least: Float = 0.001
    private static let leastReliance: Float = 0.05

    /// Mean of unclipped balanced samples times their weights, and of the weights.
    private(set) var light: Lanes
    private(set) var weight: Lanes
    /// Mean of how far from clipping samples are, 0 to 1.
    private(set) var distance: Lanes
    /// Mean of all samples, 1 being white.
    private(set) var level: Lanes
    /// How much the samples can be relied on, above 0.
    private(set) var reliance: Lanes

    /// One sample at the place itself.
    @inline(__always)
    init(_ value: Lanes, gain: Float) {
      weight = Lanes(repeating: 1) - HighlightReconstruction.clipping(value)
      light = weight * value * gain
      distance = Lanes(repeating: 1) - HighlightReconstruction.nearness(value)
      level = value
      reliance = Lanes(repeating: 1)
    }

    /// Two samples on opposite sides.
    @inline(__always)
    init(_ a: Lanes, _ b: Lanes, gain: Float) {
      let scale = Lanes(repeating: 1) / a.maximum(b).maximum(Lanes(repeating: 1e-6))
      let first = Self.likeness(a * scale).maximum(Lanes(repeating: Self.least))
      let second = Self.likeness(b * scale).maximum(Lanes(repeating: Self.least))
      let share = first / (first + second)
      self.init(
        Neighbours(a, gain: gain),
        Neighbours(b, gain: gain),
        share,
        reliance: Self.likeness(a.minimum(b) * scale) + Self.leastReliance
      )
    }

    /// Two pairs.
    @inline(__always)
    init(_ a: Neighbours, _ b: Neighbours) {
      let share = a.reliance / (a.reliance + b.reliance)
      self.init(a, b, share, reliance: a.reliance.maximum(b.reliance))
    }

    /// `share` of the first and the rest of the second.
    @inline(__always)
    private init(_ a: Neighbours, _ b: Neighbours, _ share: Lanes, reliance: Lanes) {
      light = b.light + (a.light - b.light) * share
      weight = b.weight + (a.weight - b.weight) * share
      distance = b.distance + (a.distance - b.distance) * share
      level = b.level + (a.level - b.level) * share
      self.reliance = reliance
    }

    /// 0 up to a half, 1 from 0.8 on.
    @inline(__always)
    private static func likeness(_ ratio: Lanes) -> Lanes {
      ((ratio - 0.5) * (1 / 0.3)).smoothStep
    }
  }
}
