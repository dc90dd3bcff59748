internal import Raster
internal import RawModel

/// Counts residues by signal for `NoiseFit`.
///
/// Rows are summed down their columns first, which the processor does for many columns at once and for all
/// planes that share rows; a neighbourhood is then three columns.
struct NoiseCounter {
  /// Sizes of residues that are told apart; larger ones, which no noise reaches, count as the last.
  static let residueCount = 4096
  /// Rows of neighbourhoods that a lane takes at a time.
  private static let bandHeight = 32

  let area: StatisticsArea
  let layout: SampleLayout
  let table: [UInt16]?

  /// A plane's levels.
  struct Levels {
    /// Its place in the order of `SensorPlane.planes(of:)`.
    var place: Int
    var black: Double
    var white: Double
    /// Neighbourhoods that touch it are left out.
    var clip: Double
  }

  /// One plane while it is counted.
  private struct Track {
    var index: Int
    /// The plane's first sample in a row of the area.
    var first: Int
    /// Samples from one of the plane to the next.
    var step: Int
    var columns: Int
    /// Levels from here on are clipped.
    var clip: Int32
    var binOfLevel: [UInt8]
  }

  /// The bins of some planes, in their order.
  func bins(
    of samples: borrowing Plane<UInt16>,
    planes levels: [Levels],
    scheduler: TileScheduler
  ) -> [[NoiseFit.Bin]] {
    let binCount = NoiseFit.binCount
    let counts = LaneSums<UInt32>(count: levels.count * binCount * Self.residueCount)
    // Of nine levels each.
    let sums = LaneSums<Int>(count: levels.count * binCount)
    let grids = levels.map { PlaneGrid(area: area, layout: layout, index: $0.place) }
    let left = area.region.left * layout.samplesPerPixel
    let width = area.region.width * layout.samplesPerPixel
    // Planes that have their samples in the same rows.
    for top in Set(grids.map(\.top)).sorted() {
      let tracks = grids.indices.filter { grids[$0].top == top }.map { index in
        Track(
          index: index,
          first: grids[index].left - left,
          step: grids[index].stepX,
          columns: grids[index].width / 3,
          clip: Int32(min(max(levels[index].clip.rounded(.up), 0), 65_536)),
          binOfLevel: Self.binOfLevel(levels[index])
        )
      }
      guard let grid = grids.first(where: { $0.top == top }), grid.height >= 3 else { continue }
      let rows = grid.height / 3
      let stride = samples.stride
      unsafe samples.withUnsafeSamples { samples in
        scheduler.forEach(
          count: (rows + Self.bandHeight - 1) / Self.bandHeight,
          laneState: { NoiseCounterLane(.init(counts), .init(sums), width: width) },
          body: { band, lane in
            for row in (band * Self.bandHeight)..<min((band + 1) * Self.bandHeight, rows) {
              let start = unsafe samples + (top + 3 * row * grid.stepY) * stride + left
              let distance = grid.stepY * stride
              unsafe lane.addColumns(start, start + distance, start + 2 * distance, table)
              for track in tracks {
                lane.count(
                  first: track.first,
                  step: track.step,
                  columns: track.columns,
                  clip: track.clip,
                  binOfLevel: track.binOfLevel,
                  place: track.index * binCount
                )
              }
            }
          }
        )
      }
    }
    let allCounts = counts.values
    let allSums = sums.values
    let length = binCount * Self.residueCount
    return levels.indices.map { index in
      Self.bins(
        allCounts[index * length..<(index + 1) * length],
        sums: allSums[index * binCount..<(index + 1) * binCount],
        levels: levels[index]
      )
    }
  }

  /// The bin of each mean level, rounded down to a whole one.
  private static func binOfLevel(_ levels: Levels) -> [UInt8] {
    let range = levels.white - levels.black
    return (0..<65536).map { level in
      let signal = min(max((Double(level) - levels.black) / range, 0), 1)
      return UInt8(min(NoiseFit.binCount - 1, Int(Double(NoiseFit.binCount) * signal.squareRoot())))
    }
  }

  private static func bins(
    _ counts: ArraySlice<UInt32>,
    sums: ArraySlice<Int>,
    levels: Levels
  ) -> [NoiseFit.Bin] {
    let range = levels.white - levels.black
    var bins: [NoiseFit.Bin] = []
    for bin in 0..<NoiseFit.binCount {
      let first = counts.startIndex + bin * residueCount
      let residues = LevelHistogram(counts: Array(counts[first..<first + residueCount]))
      let total = residues.total
      guard total >= NoiseFit.minimumCount, let median = residues.percentile(0.5),
        median > 0, median < residueCount - 1
      else { continue }
      let deviation = Double(median) / 0.6745 / 6 / range
      let mean = Double(sums[sums.startIndex + bin]) / (9 * Double(total))
      bins.append(
        NoiseFit.Bin(
          signal: (mean - levels.black) / range,
          variance: deviation * deviation,
          count: total
        )
      )
    }
    return bins
  }
}
