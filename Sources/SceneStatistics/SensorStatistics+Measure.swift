internal import ColorScience
package import Raster
package import RawModel

extension SensorStatistics {
  /// Measures a decoded raw.
  ///
  /// The numbers do not depend on the scheduler's lanes.
  ///
  /// - Throws: `StatisticsError` for layouts, areas or levels that have no statistics.
  package static func measure(
    _ frame: borrowing RawFrame,
    scheduler: TileScheduler
  ) throws(StatisticsError) -> SensorStatistics {
    let description = frame.description
    guard let names = SensorPlane.planes(of: description.layout), let first = names.first else {
      throw .layoutUnsupported(planes: description.layout.samplesPerPixel)
    }
    switch frame.samples {
    case .uint16(let samples):
      return try measure(samples, description, names, .identity, scheduler)
    case .uint32(let samples):
      let scale = try LevelScale(whiteLevels: description.whiteLevel, plane: first)
      let levels = try scale.levels(of: samples, scheduler: scheduler)
      return try measure(levels, description.withoutTable, names, scale, scheduler)
    case .float32(let samples):
      let scale = try LevelScale(whiteLevels: description.whiteLevel, plane: first)
      let levels = try scale.levels(of: samples, scheduler: scheduler)
      return try measure(levels, description.withoutTable, names, scale, scheduler)
    }
  }

  private static func measure(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    _ names: [SensorPlane],
    _ scale: LevelScale,
    _ scheduler: TileScheduler
  ) throws(StatisticsError) -> SensorStatistics {
    let layout = description.layout
    let table = description.linearizationTable
    let area = try StatisticsArea(description)
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
    // An area of one row or column has no photosite of some planes.
    for (index, name) in names.enumerated() where !histograms[index].counts.isEmpty {
      planes.append(
        try PlaneStatistics(
          name,
          place: index,
          stored: histograms[index],
          table: table,
          black: scale.level(of: meanBlack(description, area: area, index: index)),
          white: scale.level(of: try white(description, index: index))
        )
      )
    }
    let counter = NoiseCounter(area: area, layout: layout, table: table)
    let noise = counter.bins(
      of: samples,
      planes: planes.map {
        .init(place: $0.place, black: $0.black, white: $0.white, clip: $0.clipLevel)
      },
      scheduler: scheduler
    )
    .map { NoiseFit($0) }
    let masked = MaskedLevel.measure(samples, description)
    return SensorStatistics(
      area: area.region,
      levelsPerUnit: scale.levelsPerUnit,
      planes: planes,
      noise: noise,
      masked: planes.map { masked[$0.place] },
      greenBalance: GreenBalance(
        samples,
        planes: planes,
        area: area,
        layout: layout,
        table: table,
        scheduler: scheduler
      ),
      description: description
    )
  }

  private init(
    area: Region,
    levelsPerUnit: Double,
    planes: [PlaneStatistics],
    noise: [NoiseFit?],
    masked: [MaskedLevel?],
    greenBalance: GreenBalance?,
    description: RawDescription
  ) {
    self.area = area
    self.levelsPerUnit = levelsPerUnit
    self.planes = planes
    self.noise = noise
    self.masked = masked
    self.greenBalance = greenBalance
    declaredNoise = planes.map { plane in
      description.noiseProfile.map { $0[plane.plane.colorIndex] }
    }
    limiting = planes.compactMap { plane in
      plane.headroomEV.map { Limit(plane: plane.plane, headroomEV: $0) }
    }
    .min { $0.headroomEV < $1.headroomEV }
    if case .neutral(let neutral) = description.color.asShotWhite,
      description.layout != .linear(planes: 1)
    {
      asShotNeutral = neutral
    } else {
      asShotNeutral = nil
    }
    greyWorldNeutral = Self.neutral(planes) {
      $0.linearized.samples(below: $0.clipLevel).mean
    }
    whitePatchNeutral = Self.neutral(planes) {
      $0.linearized.samples(below: $0.clipLevel).percentile(0.99).map(Double.init)
    }
  }

  /// A camera neutral of one value for each plane, the greens' mean for green.
  private static func neutral(
    _ planes: [PlaneStatistics],
    _ value: (PlaneStatistics) -> Double?
  ) -> Vector3? {
    func light(_ plane: SensorPlane) -> Double? {
      guard let plane = planes.first(where: { $0.plane == plane }), let level = value(plane) else {
        return nil
      }
      return level > plane.black ? level - plane.black : nil
    }
    let first = light(.green1)
    let second = light(.green2)
    let green = light(.green) ?? first.flatMap { first in second.map { (first + $0) / 2 } }
    guard let red = light(.red), let green, let blue = light(.blue) else { return nil }
    let most = max(red, green, blue)
    return Vector3(red / most, green / most, blue / most)
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

extension RawDescription {
  /// Without LinearizationTable, which is of stored codes.
  fileprivate var withoutTable: RawDescription {
    var description = self
    description.linearizationTable = nil
    return description
  }
}
