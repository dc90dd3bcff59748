/// What a picture of histograms shows: levels, exposure and noise of a raw's planes, or of many raws'.
package struct HistogramChart: Equatable, Sendable {
  /// Measured and stated noise: variance by signal, which is 0 at black and 1 at white.
  package struct Noise: Equatable, Sendable {
    /// Variance = slope * signal + offset.
    package struct Line: Equatable, Sendable {
      package var slope: Double
      package var offset: Double

      package init(slope: Double, offset: Double) {
        self.slope = slope
        self.offset = offset
      }
    }

    package var bins: [(signal: Double, variance: Double)]
    package var fit: Line?
    /// NoiseProfile's.
    package var declared: Line?

    package init(bins: [(signal: Double, variance: Double)], fit: Line?, declared: Line?) {
      self.bins = bins
      self.fit = fit
      self.declared = declared
    }

    package static func == (left: Self, right: Self) -> Bool {
      left.bins.elementsEqual(right.bins) { $0 == $1 } && left.fit == right.fit
        && left.declared == right.declared
    }
  }

  /// One plane.
  package struct Plane: Equatable, Sendable {
    /// Its name, which says its colour.
    package var name: String
    package var firstLevel: Int
    /// Samples of each level from `firstLevel`.
    package var counts: [Int]
    package var black: Double
    package var white: Double
    package var saturationLevel: Int?
    /// Samples of each third of an EV below white, the brightest first.
    package var exposure: [Int]
    /// Words for the legend: `0.2 % clipped`.
    package var summary: String
    package var noise: Noise?

    package init(
      name: String,
      firstLevel: Int,
      counts: [Int],
      black: Double,
      white: Double,
      saturationLevel: Int?,
      exposure: [Int],
      summary: String,
      noise: Noise?
    ) {
      self.name = name
      self.firstLevel = firstLevel
      self.counts = counts
      self.black = black
      self.white = white
      self.saturationLevel = saturationLevel
      self.exposure = exposure
      self.summary = summary
      self.noise = noise
    }
  }

  package var title: String
  package var planes: [Plane]

  package init(title: String, planes: [Plane]) {
    self.title = title
    self.planes = planes
  }

  /// The picture: levels, then exposure, then noise where there is any.
  package var plot: Plot {
    var plot = Plot(width: 1200, height: hasNoise ? 1070 : 770)
    plot.add(.text(title, Plot.Point(80, 28), .start, .ink))
    for (row, plane) in planes.enumerated() {
      let place = Plot.Point(80, 50 + 18 * Double(row))
      plot.add(.text("\(plane.name): \(plane.summary)", place, .start, plane.color))
    }
    drawLevels(in: Axes(left: 80, top: 130, width: 1090, height: 280), &plot)
    drawExposure(in: Axes(left: 80, top: 490, width: 1090, height: 200), &plot)
    if hasNoise { drawNoise(in: Axes(left: 80, top: 780, width: 1090, height: 220), &plot) }
    return plot
  }

  private var hasNoise: Bool {
    planes.contains { $0.noise.map { !$0.bins.isEmpty } ?? false }
  }
}

extension HistogramChart.Plane {
  var color: Plot.Color {
    switch name {
    case "red": Plot.Color(214, 39, 40)
    case "green1", "green": Plot.Color(24, 140, 50)
    case "green2": Plot.Color(130, 180, 30)
    case "blue": Plot.Color(31, 98, 200)
    default: Plot.Color(70, 70, 70)
    }
  }
}
