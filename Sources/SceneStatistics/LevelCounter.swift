internal import Raster
internal import RawModel

/// Counts the stored levels of each plane over an area.
///
/// A table of 65,536 counts for each plane; two samples of a row next to each other go to different
/// tables, so that equal neighbours do not wait for each other's store.
enum LevelCounter {
  static let levelCount = 65536
  /// Rows that a lane takes at a time; even, so that every band begins in the same row of the cell.
  private static let bandHeight = 64

  /// The histograms of an area's planes, in the order of `SensorPlane.planes(of:)`.
  ///
  /// - Precondition: The area lies within `samples`.
  static func histograms(
    of samples: borrowing Plane<UInt16>,
    layout: SampleLayout,
    area: StatisticsArea,
    scheduler: TileScheduler
  ) -> [LevelHistogram] {
    let planes = layout == .linear(planes: 1) ? 1 : layout.samplesPerPixel == 3 ? 3 : 4
    let counts = LaneSums<UInt32>(count: planes * levelCount)
    let bands = (area.region.height + bandHeight - 1) / bandHeight
    let region = area.region
    let corner = area.inActiveArea
    let stride = samples.stride
    unsafe samples.withUnsafeSamples { samples in
      scheduler.forEach(
        count: bands,
        laneState: { LaneSums.Lane(counts) },
        body: { band, lane in
          let rows = (band * bandHeight)..<min((band + 1) * bandHeight, region.height)
          unsafe lane.sums.withUnsafeMutableBufferPointer { table in
            for y in rows {
              let row = unsafe samples + (region.top + y) * stride
              if planes == 4 {
                let first = (((corner.top + y) & 1) << 1) | (corner.left & 1)
                unsafe count(
                  row + region.left,
                  region.width,
                  first: first,
                  second: first ^ 1,
                  into: table
                )
              } else {
                unsafe count(row + region.left * planes, region.width, planes, into: table)
              }
            }
          }
        }
      )
    }
    let sums = counts.values
    return (0..<planes).map { plane in
      LevelHistogram(counts: Array(sums[plane * levelCount..<(plane + 1) * levelCount]))
    }
  }

  /// Counts a mosaic's row: samples of even index in table `first`, of odd index in `second`.
  ///
  /// A sample is an index below 65,536, and each table has that many counts.
  private static func count(
    _ row: UnsafePointer<UInt16>,
    _ width: Int,
    first: Int,
    second: Int,
    into table: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let base = table.baseAddress else { return }
    let even = unsafe base + first * levelCount
    let odd = unsafe base + second * levelCount
    var x = 0
    while x + 4 <= width {
      let a = unsafe Int(row[x])
      let b = unsafe Int(row[x + 1])
      let c = unsafe Int(row[x + 2])
      let d = unsafe Int(row[x + 3])
      unsafe even[a] &+= 1
      unsafe odd[b] &+= 1
      unsafe even[c] &+= 1
      unsafe odd[d] &+= 1
      x += 4
    }
    while x < width {
      if x & 1 == 0 { unsafe even[Int(row[x])] &+= 1 } else { unsafe odd[Int(row[x])] &+= 1 }
      x += 1
    }
  }

  /// Counts a row of interleaved samples.
  private static func count(
    _ row: UnsafePointer<UInt16>,
    _ width: Int,
    _ planes: Int,
    into table: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let base = table.baseAddress else { return }
    for plane in 0..<planes {
      let counts = unsafe base + plane * levelCount
      for x in 0..<width { unsafe counts[Int(row[x * planes + plane])] &+= 1 }
    }
  }
}
