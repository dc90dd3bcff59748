internal import ColorScience

extension HistogramChart {
  /// Counts of levels, with marks at black, at white and where samples pile up.
  func drawLevels(in frame: Axes, _ plot: inout Plot) {
    let whites = planes.map(\.white).max() ?? 1
    let highest = planes.map { Double($0.firstLevel + $0.counts.count) }.max() ?? 1
    var axes = frame
    axes.x = 0...max(whites, highest, 1) * 1.02
    let columns = Int(axes.width)
    let curves = planes.map { Self.columns(of: $0, count: columns, range: axes.x.upperBound) }
    let most = curves.joined().max() ?? 1
    axes.y = 0...max(1, Axes.log10(Double(max(most, 10))) * 1.05)
    let step = Axes.step(of: axes.x.upperBound)
    axes.draw(
      &plot,
      xTicks: stride(from: 0, through: axes.x.upperBound, by: step).map { ($0, "\(Int($0))") },
      yTicks: Axes.decades(upTo: axes.y.upperBound),
      title: "level (linearised code), samples"
    )
    for (plane, curve) in zip(planes, curves) {
      let points = curve.enumerated().map { column, samples in
        let place = axes.point(0, samples > 0 ? Axes.log10(Double(samples)) : 0)
        return Plot.Point(axes.left + Double(column) + 0.5, place.y)
      }
      plot.add(.line(points, plane.color, width: 1.4))
    }
    mark(planes.map(\.black), "black", .mark, axes, row: 0, &plot)
    mark(planes.map(\.white), "white", .mark, axes, row: 0, &plot)
    mark(
      planes.compactMap { $0.saturationLevel.map(Double.init) },
      "saturates",
      .alarm,
      axes,
      row: 1,
      &plot
    )
  }

  /// Samples of each pixel column of a diagram.
  private static func columns(of plane: Plane, count: Int, range: Double) -> [Int] {
    var columns = [Int](repeating: 0, count: count)
    for (index, samples) in plane.counts.enumerated() where samples > 0 {
      let place = Double(plane.firstLevel + index) / range * Double(count)
      columns[min(max(Int(place), 0), count - 1)] += samples
    }
    return columns
  }

  /// A dashed line at each of some levels, which planes often share; the lowest and the highest are named.
  private func mark(
    _ levels: [Double],
    _ name: String,
    _ color: Plot.Color,
    _ axes: Axes,
    row: Int,
    _ plot: inout Plot
  ) {
    guard let lowest = levels.min(), let highest = levels.max() else { return }
    for level in Set(levels).sorted() {
      let place = axes.point(level, 0)
      plot.add(.dashes(from: place, to: Plot.Point(place.x, axes.top), color))
    }
    let text =
      lowest == highest ? Plot.fixed(lowest) : "\(Plot.fixed(lowest))-\(Plot.fixed(highest))"
    let place = axes.point(highest, 0)
    let isRight = place.x > axes.left + axes.width / 2
    plot.add(
      .text(
        "\(name) \(text)",
        Plot.Point(place.x + (isRight ? -6 : 6), axes.top + 16 + 18 * Double(row)),
        isRight ? .end : .start,
        color
      )
    )
  }

  /// Counts of thirds of an EV below white.
  func drawExposure(in frame: Axes, _ plot: inout Plot) {
    var axes = frame
    let bins = planes.map(\.exposure.count).max() ?? 48
    let range = Double(bins) / 3
    axes.x = -range...0
    let most = planes.flatMap(\.exposure).max() ?? 1
    axes.y = 0...max(1, Axes.log10(Double(max(most, 10))) * 1.05)
    axes.draw(
      &plot,
      xTicks: stride(from: -range.rounded(), through: 0, by: 1).map { ($0, "\(Int($0))") },
      yTicks: Axes.decades(upTo: axes.y.upperBound),
      title: "EV below white, samples in each third"
    )
    for plane in planes {
      var points: [Plot.Point] = []
      for (bin, samples) in plane.exposure.enumerated() {
        let height = samples > 0 ? Axes.log10(Double(samples)) : 0
        points.append(axes.point(-Double(bin) / 3, height))
        points.append(axes.point(-Double(bin + 1) / 3, height))
      }
      plot.add(.line(points, plane.color, width: 1.4))
    }
  }

  /// Standard deviations by signal, both in EV below white: measured, fitted and stated.
  func drawNoise(in frame: Axes, _ plot: inout Plot) {
    var axes = frame
    let bins = planes.flatMap { $0.noise?.bins ?? [] }.filter { $0.signal > 0 && $0.variance > 0 }
    let signals = bins.map { PortableMath.log2($0.signal) }
    let deviations = bins.map { PortableMath.log2($0.variance) / 2 }
    axes.x = min(-8, max(-16, (signals.min() ?? -8).rounded(.down)))...0
    let low = (deviations.min() ?? -10).rounded(.down)
    let high = (deviations.max() ?? -4).rounded(.up)
    axes.y = low...max(high, low + 1)
    axes.draw(
      &plot,
      xTicks: stride(from: axes.x.lowerBound, through: 0, by: 1).map { ($0, "\(Int($0))") },
      yTicks: stride(from: low, through: axes.y.upperBound, by: 1).map { ($0, "\(Int($0))") },
      title: "noise (standard deviation) by signal, both in EV below white; dashes: NoiseProfile"
    )
    for plane in planes {
      guard let noise = plane.noise else { continue }
      for bin in noise.bins where bin.signal > 0 && bin.variance > 0 {
        let place = axes.point(PortableMath.log2(bin.signal), PortableMath.log2(bin.variance) / 2)
        plot.add(.dot(place, radius: 3, plane.color))
      }
      if let line = noise.fit {
        plot.add(.line(Self.curve(line, axes, steps: 120), plane.color, width: 1.2))
      }
      if let line = noise.declared {
        let points = Self.curve(line, axes, steps: 120)
        for start in stride(from: 0, to: points.count - 2, by: 4) {
          plot.add(
            .line([points[start], points[start + 1], points[start + 2]], plane.color, width: 1)
          )
        }
      }
    }
  }

  /// The curve of a line of variances, where it is positive and within the diagram.
  private static func curve(_ line: Noise.Line, _ axes: Axes, steps: Int) -> [Plot.Point] {
    (0...steps).compactMap { step in
      let ev =
        axes.x.lowerBound + (axes.x.upperBound - axes.x.lowerBound) * Double(step) / Double(steps)
      let variance = line.slope * PortableMath.exp2(ev) + line.offset
      guard variance > 0 else { return nil }
      let deviation = PortableMath.log2(variance) / 2
      return axes.y.contains(deviation) ? axes.point(ev, deviation) : nil
    }
  }
}
