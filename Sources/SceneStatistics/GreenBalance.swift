internal import Raster
internal import RawModel

/// How far the two greens of a mosaic lie apart.
///
/// Sensors read rows of red and rows of blue by different paths; where the two greens differ in flat
/// areas, a demosaic that takes them for one shows a maze.
package struct GreenBalance: Equatable, Sendable {
  /// The mean of green 1 over that of green 2, black subtracted, over the whole area.
  package let ratio: Double
  /// The 95th percentile, over blocks of 16x16 pixels, of the greens' difference in a block over their mean.
  ///
  /// Of means with black subtracted. The ratio hides a difference that changes over the picture. Blocks in which a green touches its clip level, or whose greens have no light, are left
  /// out; nil without blocks.
  package let localDifference: Double?

  static let blockSize = 16

  /// Nil without light in both greens.
  init?(
    _ samples: borrowing Plane<UInt16>,
    planes: [PlaneStatistics],
    area: StatisticsArea,
    layout: SampleLayout,
    table: [UInt16]?,
    scheduler: TileScheduler
  ) {
    guard let first = planes.firstIndex(where: { $0.plane == .green1 }),
      let second = planes.firstIndex(where: { $0.plane == .green2 }),
      planes[first].mean > planes[first].black, planes[second].mean > planes[second].black
    else { return nil }
    ratio =
      (planes[first].mean - planes[first].black) / (planes[second].mean - planes[second].black)
    let columns = area.region.width / Self.blockSize
    let rows = area.region.height / Self.blockSize
    guard columns > 0, rows > 0 else {
      localDifference = nil
      return
    }
    // Of each block: the sum of green 1, of green 2, and how many of the two are clipped somewhere.
    let sums = LaneSums<Int>(count: 3 * columns * rows)
    let greens = [first, second].map { index in
      Green(
        grid: PlaneGrid(area: area, layout: layout, index: planes[index].place),
        // The first whole level that is clipped.
        clip: Int32(min(max(planes[index].clipLevel.rounded(.up), 0), 65_536))
      )
    }
    let cells = Self.blockSize / 2
    let stride = samples.stride
    unsafe samples.withUnsafeSamples { samples in
      scheduler.forEach(
        count: rows,
        laneState: { GreenBalanceLane(.init(sums), width: columns * Self.blockSize) },
        body: { row, lane in
          for (place, green) in greens.enumerated() {
            lane.clear()
            for y in row * cells..<(row + 1) * cells {
              unsafe lane.add(
                samples + green.grid.offset(x: 0, y: y, stride: stride),
                columns: columns * cells,
                table
              )
            }
            for column in 0..<columns {
              lane.count(
                firstColumn: column * cells,
                columns: cells,
                clip: green.clip,
                place: 3 * (row * columns + column),
                green: place
              )
            }
          }
        }
      )
    }
    let values = sums.values
    let count = Double(cells * cells)
    var differences: [Double] = []
    for block in Swift.stride(from: 0, to: values.count, by: 3) where values[block + 2] == 0 {
      let one = Double(values[block]) / count - planes[first].black
      let two = Double(values[block + 1]) / count - planes[second].black
      let mean = (one + two) / 2
      if mean > 0 { differences.append(abs(one - two) / mean) }
    }
    localDifference = differences.lowestCovering(0.95)
  }

  /// One of the two greens.
  private struct Green {
    var grid: PlaneGrid
    var clip: Int32
  }
}

extension [Double] {
  /// The lowest value at or below which at least the share `fraction` of the values lies; nil for none.
  fileprivate func lowestCovering(_ fraction: Double) -> Double? {
    guard !isEmpty else { return nil }
    let place = Swift.max(1, Int((fraction * Double(count)).rounded(.up)))
    return sorted()[place - 1]
  }
}
