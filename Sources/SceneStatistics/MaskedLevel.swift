internal import Raster
internal import RawModel

/// The black level of a plane as its masked photosites show it (MaskedAreas, 50830).
///
/// Levels are those of the plane's statistics: linearised, black not subtracted. All masked photosites
/// of the plane count, also those that lie outside the default crop.
package struct MaskedLevel: Equatable, Sendable {
  /// Masked photosites of the plane.
  package let count: Int
  /// Their mean level: what BlackLevel should be.
  package let mean: Double
  /// Their standard deviation: the read noise, in levels.
  package let standardDeviation: Double

  /// Nil without masked photosites.
  init?(_ levels: LevelHistogram) {
    guard let mean = levels.mean, let deviation = levels.standardDeviation else { return nil }
    count = levels.total
    self.mean = mean
    standardDeviation = deviation
  }

  /// The levels of the masked photosites of each plane, in the order of `SensorPlane.planes(of:)`.
  ///
  /// Parts of masked areas outside the frame do not exist; photosites of two areas count once.
  static func measure(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription
  ) -> [MaskedLevel?] {
    let layout = description.layout
    let samplesPerPixel = layout.samplesPerPixel
    let isMosaic = layout.isMosaic
    let planes = isMosaic ? 4 : samplesPerPixel
    let frame = Region(size: description.size)
    let areas = description.maskedAreas.map { $0.intersection(frame) }.filter { !$0.isEmpty }
    guard !areas.isEmpty else { return Array(repeating: nil, count: planes) }
    let active = description.activeArea
    let table = description.linearizationTable
    var counts = Array(
      repeating: [UInt32](repeating: 0, count: LevelCounter.levelCount),
      count: planes
    )
    for (index, area) in areas.enumerated() {
      for y in area.rows {
        let earlier = areas[..<index].filter { $0.rows.contains(y) }
        samples.withRow(y) { row in
          for x in area.columns where !earlier.contains(where: { $0.columns.contains(x) }) {
            for sample in 0..<samplesPerPixel {
              let code = Int(row[x * samplesPerPixel + sample])
              let level = table.map { Int($0[min(code, $0.count - 1)]) } ?? code
              let plane = isMosaic ? ((y - active.top) & 1) << 1 | (x - active.left) & 1 : sample
              counts[plane][level] += 1
            }
          }
        }
      }
    }
    return counts.map { MaskedLevel(LevelHistogram(counts: $0)) }
  }
}
