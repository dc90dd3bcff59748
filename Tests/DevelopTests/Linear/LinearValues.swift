import ColorScience
import Develop
import Raster
import RawModel
import Recipe

/// A linear picture as an array that tests compare: rows of interleaved samples.
struct LinearValues: Equatable {
  let size: PixelSize
  let channels: [String]
  private(set) var samples: [Float] = []

  init(
    _ frame: borrowing RawFrame,
    _ level: LinearLevel,
    adjustments: DevelopAdjustments = .measuring,
    rowCount: Int = 64,
    lanes: Int = 1,
    tileSize: PixelSize? = nil
  ) throws {
    let development = try LinearDevelopment(
      frame.description,
      settings: DevelopSettings(resolving: adjustments, for: frame.description),
      level: level
    )
    size = development.size
    channels = development.channels.map(\.name)
    var samples: [Float] = []
    var next = 0
    var areInOrder = true
    try development.forEachBand(
      of: frame,
      rowCount: rowCount,
      scheduler: TileScheduler(laneCount: lanes),
      tileSize: tileSize
    ) { (band: borrowing Plane<Float>, rows: Range<Int>) throws(Never) in
      areInOrder = areInOrder && rows.lowerBound == next && rows.count == band.height
      next = rows.upperBound
      for y in 0..<band.height {
        band.withRow(y) { row in for x in row.indices { samples.append(row[x]) } }
      }
    }
    precondition(areInOrder && next == size.height, "bands cover the picture from the top")
    self.samples = samples
  }

  /// The samples of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [Float] {
    let start = (y * size.width + x) * channels.count
    return Array(samples[start..<start + channels.count])
  }
}
