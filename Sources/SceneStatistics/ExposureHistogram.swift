internal import ColorScience

/// Counts by exposure below clipping: bins of a third of an EV of `log2((level - black) / (clip - black))`.
///
/// Bin `k` holds what lies more than k/3 and at most (k + 1)/3 EV under the clip level; the clip level
/// itself and what is above it is counted in `clipped`.
package struct ExposureHistogram: Equatable, Sendable {
  package static let binsPerEV = 3
  package static let rangeEV = 16

  /// 48 bins from the clip level down to 16 EV below it.
  package let counts: [Int]
  /// At the clip level or above.
  package let clipped: Int
  /// Above black, more than 16 EV under the clip level.
  package let deeper: Int
  /// At black or below.
  package let notPositive: Int

  /// Counts levels; `clip` lies above `black`.
  init(_ histogram: LevelHistogram, black: Double, clip: Double) {
    let range = clip - black
    // Lower edges of the bins, in levels above black.
    let edges = (1...Self.rangeEV * Self.binsPerEV).map { bin in
      range * PortableMath.exp2(-Double(bin) / Double(Self.binsPerEV))
    }
    var counts = [Int](repeating: 0, count: edges.count)
    var clipped = 0
    var deeper = 0
    var notPositive = 0
    var bin = edges.count - 1
    for (index, count) in histogram.counts.enumerated() {
      let value = Double(histogram.firstLevel + index) - black
      if value <= 0 {
        notPositive += Int(count)
      } else if value >= range {
        clipped += Int(count)
      } else if value < edges[edges.count - 1] {
        deeper += Int(count)
      } else {
        // Levels rise, so bins only move towards the clip level.
        while bin > 0, value >= edges[bin - 1] { bin -= 1 }
        counts[bin] += Int(count)
      }
    }
    self.counts = counts
    self.clipped = clipped
    self.deeper = deeper
    self.notPositive = notPositive
  }
}
