internal import ColorScience
package import Raster
package import RawModel

extension SensorStatistics {
  /// Measures a decoded raw.
  ///
  /// The numbers do not depend on the scheduler's lanes.
  ///
  /// - Throws: `StatisticsError` for samples, areas or levels that have no statistics.
  package static func measure(
    _ frame: borrowing RawFrame,
    scheduler: TileScheduler
  ) throws(StatisticsError) -> SensorStatistics {
    let description = frame.description
    let layout = description.layout
    guard let names = SensorPlane.planes(of: layout) else {
      throw .layoutUnsupported(planes: layout.samplesPerPixel)
    }
    let area = try StatisticsArea(description)
    switch frame.samples {
    case .uint16(let samples):
      guard
        samples.width == description.size.width * layout.samplesPerPixel,
        samples.height == description.size.height
      else { throw .areaUnusable(tag: "ImageWidth") }
      let histograms = LevelCounter.histograms(
        of: samples,
        layout: layout,
        area: area,
        scheduler: scheduler
      )
      var planes: [PlaneStatistics] = []
      for (index, name) in names.enumerated() {
        planes.append(
          try PlaneStatistics(
            name,
            stored: histograms[index],
            table: description.linearizationTable,
            black: meanBlack(description, area: area, index: index),
            white: try white(description, index: index)
          )
        )
      }
      let counter = NoiseCounter(area: area, layout: layout, table: description.linearizationTable)
      let noise = planes.enumerated().map { index, plane in
        NoiseFit(
          counter.bins(
            of: samples,
            index: index,
            levels: .init(black: plane.black, white: plane.white, clip: plane.clipLevel),
            scheduler: scheduler
          )
        )
      }
      return SensorStatistics(area: area.region, planes: planes, noise: noise)
    case .uint32: throw .samplesUnsupported(kind: frame.samples.kind.description)
    case .float32: throw .samplesUnsupported(kind: frame.samples.kind.description)
    }
  }

  private init(area: Region, planes: [PlaneStatistics], noise: [NoiseFit?]) {
    self.area = area
    self.planes = planes
    self.noise = noise
    let headrooms = planes.compactMap { plane in plane.headroomEV.map { (plane.plane, $0) } }
    limiting = headrooms.min { $0.1 < $1.1 }
    func light(_ plane: SensorPlane, _ value: (PlaneStatistics) -> Double?) -> Double? {
      guard let plane = planes.first(where: { $0.plane == plane }), let level = value(plane) else {
        return nil
      }
      return level > plane.black ? level - plane.black : nil
    }
    func neutral(_ value: (PlaneStatistics) -> Double?) -> Vector3? {
      let first = light(.green1, value)
      let second = light(.green2, value)
      let green =
        light(.green, value) ?? first.flatMap { first in second.map { (first + $0) / 2 } }
      guard let red = light(.red, value), let green, let blue = light(.blue, value) else {
        return nil
      }
      let most = max(red, green, blue)
      return Vector3(red / most, green / most, blue / most)
    }
    greenRatio = light(.green1, \.mean).flatMap { first in
      light(.green2, \.mean).map { first / $0 }
    }
    greyWorldNeutral = neutral { $0.linearized.samples(below: $0.clipLevel).mean }
    whitePatchNeutral = neutral {
      $0.linearized.samples(below: $0.clipLevel).percentile(0.99).map(Double.init)
    }
  }

  private static func white(
    _ description: RawDescription,
    index: Int
  ) throws(StatisticsError) -> Double {
    let sample = description.layout.samplesPerPixel == 1 ? 0 : index
    guard description.whiteLevel.indices.contains(sample) else {
      throw .areaUnusable(tag: "WhiteLevel")
    }
    return description.whiteLevel[sample]
  }

  /// The mean black level of a plane's photosites in the area: of one period of the pattern, plus the
  /// means of the deltas of the columns and rows that the plane has there.
  private static func meanBlack(
    _ description: RawDescription,
    area: StatisticsArea,
    index: Int
  ) -> Double {
    let level = description.blackLevel
    let inner = area.inActiveArea
    let isMosaic =
      description.layout.samplesPerPixel == 1 && description.layout != .linear(planes: 1)
    let step = isMosaic ? 2 : 1
    let left = inner.left + (isMosaic ? (index & 1) ^ (inner.left & 1) : 0)
    let top = inner.top + (isMosaic ? (index >> 1) ^ (inner.top & 1) : 0)
    let columns = Array(stride(from: left, to: inner.right, by: step))
    let rows = Array(stride(from: top, to: inner.bottom, by: step))
    guard !columns.isEmpty, !rows.isEmpty else { return .nan }
    // The pattern is separable into how often each of its rows and columns is met.
    var columnCounts = [Int](repeating: 0, count: level.repeatColumns)
    var rowCounts = [Int](repeating: 0, count: level.repeatRows)
    for column in columns { columnCounts[column % level.repeatColumns] += 1 }
    for row in rows { rowCounts[row % level.repeatRows] += 1 }
    let sample = isMosaic ? 0 : min(index, level.samplesPerPixel - 1)
    var sum = 0.0
    for row in 0..<level.repeatRows {
      for column in 0..<level.repeatColumns {
        let value = level.values[
          (row * level.repeatColumns + column) * level.samplesPerPixel + sample
        ]
        sum += value * Double(rowCounts[row] * columnCounts[column])
      }
    }
    var black = sum / Double(rows.count * columns.count)
    if level.deltaH.count >= inner.right {
      black += columns.reduce(0) { $0 + level.deltaH[$1] } / Double(columns.count)
    }
    if level.deltaV.count >= inner.bottom {
      black += rows.reduce(0) { $0 + level.deltaV[$1] } / Double(rows.count)
    }
    return black
  }
}
