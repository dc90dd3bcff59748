import FileSystem
import TestSupport

/// What the guides show.
enum GuideText {
  /// The blocks of a language in a guide, in order.
  static func blocks(_ language: String, of guide: String) throws -> [String] {
    let path = PackageFolder.path("Sources/rawmill/rawmill.docc/\(guide).md")
    let text = String(decoding: try path.readAll(), as: UTF8.self)
    var blocks: [String] = []
    var block: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```\(language)" {
        block = []
      } else if line == "```", let lines = block {
        blocks.append(lines.joined(separator: "\n"))
        block = nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }
}
