/// The sum of a plane's histograms over the photos of a batch.
package struct PlaneSum: Equatable, Sendable {
  /// `red`, `green1`, `green2`, `blue`, `green` or `gray`.
  package var plane: String
  package var photos: Int
  package var samples: Int
  /// Samples at their photo's white level or above.
  package var clipped: Int
  /// The means over the photos, in levels.
  package var black: Double
  package var white: Double
  /// Samples of each third of an EV below white, the brightest first.
  package var exposure: [Int]
  /// Linearised levels that occur, from the lowest.
  package var levels: [(level: Int, samples: Int)]

  package init(
    plane: String,
    photos: Int,
    samples: Int,
    clipped: Int,
    black: Double,
    white: Double,
    exposure: [Int],
    levels: [(level: Int, samples: Int)]
  ) {
    self.plane = plane
    self.photos = photos
    self.samples = samples
    self.clipped = clipped
    self.black = black
    self.white = white
    self.exposure = exposure
    self.levels = levels
  }

  /// Samples of each level from the lowest to the highest that occurs.
  package var counts: [Int] {
    guard let first = levels.first, let last = levels.last else { return [] }
    var counts = [Int](repeating: 0, count: last.level - first.level + 1)
    for (level, samples) in levels { counts[level - first.level] = samples }
    return counts
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.plane == right.plane && left.photos == right.photos && left.samples == right.samples
      && left.clipped == right.clipped && left.black == right.black && left.white == right.white
      && left.exposure == right.exposure && left.levels.elementsEqual(right.levels) { $0 == $1 }
  }
}
