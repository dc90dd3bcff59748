/// A picture of lines, dots and words, before it is SVG or pixels.
package struct Plot: Equatable, Sendable {
  /// A place, in pixels from the top-left corner.
  package struct Point: Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// An sRGB colour.
  package struct Color: Equatable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  /// Which end of a text is at its point.
  package enum Anchor: String, Sendable {
    case start
    case middle
    case end
  }

  /// What is drawn, in order.
  package enum Element: Equatable, Sendable {
    /// A line through points.
    case line([Point], Color, width: Double)
    /// A straight line of dashes.
    case dashes(from: Point, to: Point, Color)
    case dot(Point, radius: Double, Color)
    /// A line of text whose baseline is at the point.
    case text(String, Point, Anchor, Color)
  }

  package var width: Int
  package var height: Int
  package private(set) var elements: [Element] = []

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  mutating func add(_ element: Element) {
    elements.append(element)
  }
}

extension Plot.Color {
  static let ink = Plot.Color(40, 40, 40)
  static let grid = Plot.Color(222, 222, 222)
  static let mark = Plot.Color(120, 120, 120)
  static let alarm = Plot.Color(200, 0, 120)
}
