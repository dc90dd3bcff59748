internal import Raster
internal import RawModel

/// Counts residues by signal for `NoiseFit`.
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
    var black: Double
    var white: Double
    /// Neighbourhoods that touch it are left out.
    var clip: Double
  }

  /// The bins of one plane: `index` in the order of `SensorPlane.planes(of:)`.
  func bins(
    of samples: borrowing Plane<UInt16>,
    index: Int,
    levels: Levels,
    scheduler: TileScheduler
  ) -> [NoiseFit.Bin] {
    let grid = PlaneGrid(area: area, layout: layout, index: index)
    let rows = grid.height / 3
    let columns = grid.width / 3
    guard rows > 0, columns > 0 else { return [] }
    let bins = NoiseFit.binCount
    let counts = LaneSums<UInt32>(count: bins * Self.residueCount)
    // Of nine levels each.
    let sums = LaneSums<Int>(count: bins)
    let binOfLevel = Self.binOfLevel(levels)
    let clip = levels.clip
    let table = table
    let stride = samples.stride
    unsafe samples.withUnsafeSamples { samples in
      scheduler.forEach(
        count: (rows + Self.bandHeight - 1) / Self.bandHeight,
        laneState: { NoiseCounterLane(.init(counts), .init(sums)) },
        body: { band, lane in
          for row in (band * Self.bandHeight)..<min((band + 1) * Self.bandHeight, rows) {
            for column in 0..<columns {
              let corner = unsafe samples + grid.offset(x: 3 * column, y: 3 * row, stride: stride)
              var sum = 0
              var residue = 0
              var highest = 0
              for y in 0..<3 {
                for x in 0..<3 {
                  let code = unsafe Int(corner[y * grid.stepY * stride + x * grid.stepX])
                  let level = table.map { Int($0[min(code, $0.count - 1)]) } ?? code
                  sum += level
                  highest = max(highest, level)
                  residue += (y == 1 ? -2 : 1) * (x == 1 ? -2 : 1) * level
                }
              }
              guard Double(highest) < clip else { continue }
              let bin = Int(binOfLevel[sum / 9])
              let size = min(abs(residue), Self.residueCount - 1)
              lane.counts.sums[bin * Self.residueCount + size] &+= 1
              lane.sums.sums[bin] += sum
            }
          }
        }
      )
    }
    return Self.bins(counts.values, sums: sums.values, levels: levels)
  }

  /// The bin of each mean level, rounded down to a whole one.
  private static func binOfLevel(_ levels: Levels) -> [UInt8] {
    let range = levels.white - levels.black
    return (0..<65536).map { level in
      let signal = min(max((Double(level) - levels.black) / range, 0), 1)
      return UInt8(min(NoiseFit.binCount - 1, Int(Double(NoiseFit.binCount) * signal.squareRoot())))
    }
  }

  private static func bins(_ counts: [UInt32], sums: [Int], levels: Levels) -> [NoiseFit.Bin] {
    let range = levels.white - levels.black
    var bins: [NoiseFit.Bin] = []
    for bin in 0..<NoiseFit.binCount {
      let residues = LevelHistogram(
        counts: Array(counts[bin * residueCount..<(bin + 1) * residueCount])
      )
      let total = residues.total
      guard total >= NoiseFit.minimumCount, let median = residues.percentile(0.5),
        median > 0, median < residueCount - 1
      else { continue }
      let deviation = Double(median) / 0.6745 / 6 / range
      let mean = Double(sums[bin]) / (9 * Double(total))
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

/// One lane's counts and sums.
private struct NoiseCounterLane: ~Copyable {
  var counts: LaneSums<UInt32>.Lane
  var sums: LaneSums<Int>.Lane

  init(_ counts: consuming LaneSums<UInt32>.Lane, _ sums: consuming LaneSums<Int>.Lane) {
    self.counts = counts
    self.sums = sums
  }
}
