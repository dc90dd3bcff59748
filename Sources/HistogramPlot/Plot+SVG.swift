extension Plot {
  /// The picture as SVG 1.1.
  package var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="14">
      <rect width="\(width)" height="\(height)" fill="#ffffff"/>

      """
    for element in elements { text += Self.svg(element) + "\n" }
    return text + "</svg>\n"
  }

  private static func svg(_ element: Element) -> String {
    switch element {
    case .line(let points, let color, let width):
      let places = points.map { "\(fixed($0.x)),\(fixed($0.y))" }.joined(separator: " ")
      return
        "<polyline points=\"\(places)\" fill=\"none\" stroke=\"\(hex(color))\" "
        + "stroke-width=\"\(fixed(width))\"/>"
    case .dashes(let from, let to, let color):
      return
        "<line x1=\"\(fixed(from.x))\" y1=\"\(fixed(from.y))\" x2=\"\(fixed(to.x))\" "
        + "y2=\"\(fixed(to.y))\" stroke=\"\(hex(color))\" stroke-dasharray=\"6 4\"/>"
    case .dot(let point, let radius, let color):
      return
        "<circle cx=\"\(fixed(point.x))\" cy=\"\(fixed(point.y))\" r=\"\(fixed(radius))\" "
        + "fill=\"\(hex(color))\"/>"
    case .text(let words, let point, let anchor, let color):
      return
        "<text x=\"\(fixed(point.x))\" y=\"\(fixed(point.y))\" fill=\"\(hex(color))\" "
        + "text-anchor=\"\(anchor.rawValue)\">\(escaped(words))</text>"
    }
  }

  /// A number with two decimals at most: the same text everywhere.
  static func fixed(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let hundredths = Int((value * 100).rounded())
    let size = hundredths.magnitude
    let sign = hundredths < 0 ? "-" : ""
    let rest = size % 100
    if rest == 0 { return "\(sign)\(size / 100)" }
    return "\(sign)\(size / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func hex(_ color: Color) -> String {
    let value = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Text for XML 1.0: markup is escaped, characters that XML has no place for become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
