/// The statistics of one plane of a sensor, over the pixels of the active area within the default crop.
///
/// Levels are linearised codes (behind LinearizationTable), before black is subtracted, where it does
/// not say otherwise; shares count samples of the plane.
package struct PlaneStatistics: Equatable, Sendable {
  package let plane: SensorPlane
  /// Its place in the order of `SensorPlane.planes(of:)`.
  package let place: Int
  /// Stored codes.
  package let stored: LevelHistogram
  /// Linearised codes.
  package let linearized: LevelHistogram
  /// The declared black level: the mean over the plane's photosites where it varies.
  package let black: Double
  /// The declared white level.
  package let white: Double
  /// Mean and standard deviation of the levels.
  package let mean: Double
  package let standardDeviation: Double
  package let minimum: Int
  package let maximum: Int
  /// The levels of `percentileFractions`.
  package let percentiles: [Int]
  /// Samples at the declared white level or above.
  package let clippedCount: Int
  /// The level where samples pile up at the top; nil where they don't.
  package let saturationLevel: Int?
  /// Samples at the detected saturation level or above; nil where there is none.
  package let saturatedCount: Int?
  /// Samples less than 2^-8 of the way from black to white.
  package let underexposedCount: Int
  /// By exposure under the declared white level.
  package let exposure: ExposureHistogram
  /// EV by which exposure could rise before the 99.9th percentile clips; negative infinity never, nil
  /// where that percentile is not above black.
  package let headroomEV: Double?

  /// log2 of the mean's share of the way from black to white, EV; nil where the mean is not above black.
  package let meanEV: Double?

  /// 0.01 % to 99.99 %, as raw histogram tools show them.
  package static let percentileFractions = [
    0.0001, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999,
  ]

  /// Whether levels are behind a table, and so `linearized` another histogram than `stored`.
  package let isLinearized: Bool

  /// The number of samples.
  package var count: Int { linearized.total }

  /// The level that half of the samples don't exceed.
  package var median: Int { percentiles[5] }

  /// How many linearised levels lie in each of `count` bins of equal width from black to white.
  ///
  /// Bin k has the levels from `black + k (white - black) / count` up to the next bin's; the first also
  /// those below black, the last those at white and above, as in an area histogram.
  package func histogram(binCount count: Int) -> [Int] {
    var bins = [Int](repeating: 0, count: count)
    for (index, samples) in linearized.counts.enumerated() where samples > 0 {
      let level = Double(linearized.firstLevel + index)
      let place = ((level - black) / (white - black) * Double(count)).rounded(.down)
      bins[Int(min(max(place, 0), Double(count - 1)))] += Int(samples)
    }
    return bins
  }

  /// Where the levels end: the declared white level, or the detected saturation below it.
  package var clipLevel: Double {
    saturationLevel.map { min(Double($0), white) } ?? white
  }
}
