internal import JSON

extension PlaneStatistics {
  /// Names of the percentiles, in the order of `percentileFractions`, in per cent.
  static let percentileNames = [
    "p0_01", "p0_1", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "p99_9", "p99_99",
  ]

  /// Every number but the histograms of levels, in the order of the guide's table.
  var scalars: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      ("plane", .string(plane.rawValue)), ("count", .init(count)), ("black", .init(black)),
      ("white", .init(white)), ("minimum", .init(minimum)), ("maximum", .init(maximum)),
      ("mean", .init(mean)), ("standardDeviation", .init(standardDeviation)),
      ("meanEV", .init(meanEV)),
    ]
    for (name, level) in zip(Self.percentileNames, percentiles) {
      members.append((name, .init(level)))
    }
    members += [
      ("clippedCount", .init(clippedCount)),
      ("saturationLevel", saturationLevel.map { .init($0) } ?? .null),
      ("saturatedCount", saturatedCount.map { .init($0) } ?? .null),
      ("underexposedCount", .init(underexposedCount)), ("headroomEV", .init(headroomEV)),
      (
        "exposure",
        [
          "clipped": .init(exposure.clipped),
          "counts": .array(exposure.counts.map { .init($0) }),
          "deeper": .init(exposure.deeper), "notPositive": .init(exposure.notPositive),
        ]
      ),
    ]
    return members
  }
}

extension PlaneStatistics {
  /// Counts of bins from black to white.
  func bins(_ count: Int) -> JSONValue {
    .array(histogram(binCount: count).map { .init($0) })
  }
}

extension LevelHistogram {
  /// The lowest level that occurs and the counts from there.
  var json: JSONValue {
    ["firstLevel": .init(firstLevel), "counts": .array(counts.map { .init($0) })]
  }
}

extension NoiseFit {
  /// The line, what follows from it, and the bins that it was fitted to.
  var json: JSONValue {
    [
      "slope": .init(slope), "offset": .init(offset), "dynamicRangeEV": .init(dynamicRangeEV),
      "signalOfUnitRatio": .init(signalOfUnitRatio),
      "signalToNoiseAt18Percent": .init(signalToNoise(at: 0.18)),
      "bins": .array(
        bins.map {
          [
            "signal": .init($0.signal), "variance": .init($0.variance), "count": .init($0.count),
          ]
        }
      ),
    ]
  }
}
