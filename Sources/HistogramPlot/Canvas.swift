/// Pixels that a plot is drawn on: 8-bit RGB, white at first.
struct Canvas {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = Array(repeating: 255, count: 3 * width * height)
  }

  /// Draws everything of a plot.
  init(_ plot: Plot) {
    self.init(width: plot.width, height: plot.height)
    for element in plot.elements {
      switch element {
      case .line(let points, let color, let width):
        for (from, to) in zip(points, points.dropFirst()) {
          stroke(from, to, width: width, color)
        }
      case .dashes(let from, let to, let color): dash(from, to, color)
      case .dot(let point, let radius, let color): stroke(point, point, width: 2 * radius, color)
      case .text(let text, let point, let anchor, let color): write(text, point, anchor, color)
      }
    }
  }

  /// A straight line with round ends; a pixel is covered by what the line's edge leaves of its width.
  private mutating func stroke(
    _ from: Plot.Point,
    _ to: Plot.Point,
    width: Double,
    _ color: Plot.Color
  ) {
    let half = max(width, 1) / 2
    let left = Self.pixel(min(from.x, to.x) - half - 1, below: self.width)
    let right = Self.pixel(max(from.x, to.x) + half + 1, below: self.width)
    let top = Self.pixel(min(from.y, to.y) - half - 1, below: height)
    let bottom = Self.pixel(max(from.y, to.y) + half + 1, below: height)
    let dx = to.x - from.x
    let dy = to.y - from.y
    let square = dx * dx + dy * dy
    guard left <= right, top <= bottom else { return }
    for y in top...bottom {
      for x in left...right {
        let px = Double(x) + 0.5 - from.x
        let py = Double(y) + 0.5 - from.y
        let along = square > 0 ? min(max((px * dx + py * dy) / square, 0), 1) : 0
        let ex = px - along * dx
        let ey = py - along * dy
        let distance = (ex * ex + ey * ey).squareRoot()
        blend(x, y, color, min(max(half + 0.5 - distance, 0), 1))
      }
    }
  }

  private mutating func dash(_ from: Plot.Point, _ to: Plot.Point, _ color: Plot.Color) {
    let dx = to.x - from.x
    let dy = to.y - from.y
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return }
    // As the dashes of SVG: six on, four off.
    for start in stride(from: 0, to: length, by: 10) {
      let end = min(start + 6, length)
      stroke(
        Plot.Point(from.x + dx * start / length, from.y + dy * start / length),
        Plot.Point(from.x + dx * end / length, from.y + dy * end / length),
        width: 1,
        color
      )
    }
  }

  private mutating func write(
    _ text: String,
    _ point: Plot.Point,
    _ anchor: Plot.Anchor,
    _ color: Plot.Color
  ) {
    let scale = 2
    let advance = BitmapFont.advance * scale
    let glyphs = text.unicodeScalars.map { BitmapFont.glyph($0) }
    let length = glyphs.count * advance
    var left = Int(point.x.rounded())
    switch anchor {
    case .start: break
    case .middle: left -= length / 2
    case .end: left -= length
    }
    let top = Int(point.y.rounded()) - BitmapFont.baseline * scale
    for glyph in glyphs {
      for (row, bits) in glyph.enumerated() {
        for column in 0..<BitmapFont.width
        where bits >> UInt8(BitmapFont.width - 1 - column) & 1 == 1 {
          for y in 0..<scale {
            for x in 0..<scale {
              blend(left + column * scale + x, top + row * scale + y, color, 1)
            }
          }
        }
      }
      left += advance
    }
  }

  /// Puts a colour over a pixel; pixels outside do not exist.
  private mutating func blend(_ x: Int, _ y: Int, _ color: Plot.Color, _ cover: Double) {
    guard cover > 0, x >= 0, x < width, y >= 0, y < height else { return }
    let place = 3 * (y * width + x)
    for (channel, value) in [color.red, color.green, color.blue].enumerated() {
      let under = Double(pixels[place + channel])
      pixels[place + channel] = UInt8((under + (Double(value) - under) * cover).rounded())
    }
  }

  private static func pixel(_ place: Double, below limit: Int) -> Int {
    guard place.isFinite else { return 0 }
    return Int(min(max(place.rounded(.down), 0), Double(limit - 1)))
  }
}
