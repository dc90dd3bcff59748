internal import ServiceRuntime

/// Pictures of jobs as HTML: a grid, and what is not in it as a list.
enum PictureGrid {
  /// Empty where there are none.
  static func html(_ pictures: [ReportPicture]) -> String {
    var parts: [String] = []
    for (title, part) in [
      ("Pictures", pictures.filter { $0.failure == nil }),
      ("Previews of failed inputs", pictures.filter { $0.failure != nil }),
    ] where !part.isEmpty {
      parts.append("<h2>\(title)</h2>")
      let figures = part.compactMap { figure($0) }
      if !figures.isEmpty {
        parts.append("<div class=\"pictures\">\(figures.joined(separator: "\n"))</div>")
      }
      let absent = part.compactMap { missing($0) }
      if !absent.isEmpty {
        parts.append("<p>Not shown:</p><ul>\(absent.joined(separator: "\n"))</ul>")
      }
    }
    return parts.joined(separator: "\n")
  }

  private static func figure(_ picture: ReportPicture) -> String? {
    guard case .jpeg(let base64, let width, let height) = picture.content else { return nil }
    let name = escaped(picture.name)
    let code = picture.failure.map { "<br>\(escaped($0))" } ?? ""
    return "<figure><img src=\"data:image/jpeg;base64,\(HTMLText.escaped(base64))\" "
      + "width=\"\(width)\" height=\"\(height)\" alt=\"\(name)\">"
      + "<figcaption><bdi>\(name)</bdi>\(code)</figcaption></figure>"
  }

  private static func missing(_ picture: ReportPicture) -> String? {
    guard case .missing(let reason) = picture.content else { return nil }
    return "<li><bdi>\(escaped(picture.name))</bdi>: \(escaped(reason))</li>"
  }

  private static func escaped(_ text: String) -> String {
    HTMLText.escaped(TerminalText.harmless(text))
  }
}
