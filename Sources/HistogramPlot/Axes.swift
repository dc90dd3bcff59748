internal import ColorScience

/// The frame of one diagram, and where its values lie in the picture.
struct Axes {
  var left: Double
  var top: Double
  var width: Double
  var height: Double
  /// Values at the left and right edges.
  var x: ClosedRange<Double> = 0...1
  /// Values at the bottom and top edges.
  var y: ClosedRange<Double> = 0...1

  init(left: Double, top: Double, width: Double, height: Double) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  var right: Double { left + width }
  var bottom: Double { top + height }

  /// Where a value lies; values outside lie on the frame.
  func point(_ x: Double, _ y: Double) -> Plot.Point {
    Plot.Point(
      left + width * Self.share(x, self.x),
      bottom - height * Self.share(y, self.y)
    )
  }

  private static func share(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    let span = range.upperBound - range.lowerBound
    guard span > 0, value.isFinite else { return 0 }
    return min(max((value - range.lowerBound) / span, 0), 1)
  }

  /// Draws the frame with ticks at values of x and y and the names of both.
  func draw(
    _ plot: inout Plot,
    xTicks: [(value: Double, name: String)],
    yTicks: [(value: Double, name: String)],
    title: String
  ) {
    for tick in xTicks {
      let place = point(tick.value, y.lowerBound)
      plot.add(.line([place, Plot.Point(place.x, top)], .grid, width: 1))
      plot.add(.text(tick.name, Plot.Point(place.x, bottom + 20), .middle, .ink))
    }
    for tick in yTicks {
      let place = point(x.lowerBound, tick.value)
      plot.add(.line([place, Plot.Point(right, place.y)], .grid, width: 1))
      plot.add(.text(tick.name, Plot.Point(left - 6, place.y + 6), .end, .ink))
    }
    let corners = [
      Plot.Point(left, top), Plot.Point(right, top), Plot.Point(right, bottom),
      Plot.Point(left, bottom), Plot.Point(left, top),
    ]
    plot.add(.line(corners, .ink, width: 1))
    plot.add(.text(title, Plot.Point(left, bottom + 44), .start, .ink))
  }

  /// log10, of the project's own log2.
  static func log10(_ value: Double) -> Double {
    PortableMath.log2(value) / PortableMath.log2(10)
  }

  /// Ticks at powers of ten of a logarithmic axis of counts.
  static func decades(upTo highest: Double) -> [(value: Double, name: String)] {
    let names = ["1", "10", "100", "1k", "10k", "100k", "1M", "10M", "100M", "1G", "10G", "100G"]
    return names.enumerated().filter { Double($0.offset) <= highest }
      .map { (Double($0.offset), $0.element) }
  }

  /// Round steps so that a range has five to twelve of them.
  static func step(of range: Double) -> Double {
    guard range > 0, range.isFinite else { return 1 }
    var step = 1.0
    while range / step > 12 {
      step *= 2
      if range / step > 12 { step *= 2.5 }
      if range / step > 12 { step *= 2 }
    }
    return step
  }
}
