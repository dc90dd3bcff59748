internal import JSON
internal import ServiceRuntime

/// JSON as an indented outline for people: names in words, short lists in one line.
enum OutlineText {
  /// The lines of an object's members; null members are left out.
  static func lines(of value: JSONValue, indent: Int) -> [String] {
    let members = value.objectValue ?? []
    let labels = members.map { words($0.key) }
    let width = zip(labels, members).filter { isShort($0.1.value) }.map(\.0.count).max() ?? 0
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for (label, member) in zip(labels, members) {
      if member.value.isNull { continue }
      if isShort(member.value) {
        let padding = String(repeating: " ", count: max(0, width - label.count))
        lines.append("\(margin)\(label)\(padding)  \(short(member.value))")
      } else if let elements = member.value.arrayValue {
        for (index, element) in elements.enumerated() {
          lines.append("\(margin)\(label) \(index + 1)")
          lines += Self.lines(of: element, indent: indent + 2)
        }
      } else {
        lines.append("\(margin)\(label)")
        lines += Self.lines(of: member.value, indent: indent + 2)
      }
    }
    return lines
  }

  /// Whether a value stands in one line: everything but objects and lists of them.
  private static func isShort(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let members): members.isEmpty
    case .array(let elements): elements.allSatisfy { $0.objectValue == nil }
    default: true
    }
  }

  private static func short(_ value: JSONValue) -> String {
    switch value {
    case .null: "–"
    case .bool(let value): value ? "yes" : "no"
    case .string(let text): TerminalText.harmless(text)
    case .array(let elements):
      elements.isEmpty ? "–" : elements.map { short($0) }.joined(separator: ", ")
    case .object: "–"
    case .number(let number): Quantity.significant(number)
    case .integer(let number): String(number)
    }
  }

  /// `defaultCrop` as `default crop`; abbreviations and `SHA256` stay together.
  private static func words(_ key: String) -> String {
    var result = ""
    var previous: Character = " "
    for character in key {
      if character.isUppercase, !previous.isUppercase, !result.isEmpty {
        result += " "
      }
      result.append(character)
      previous = character
    }
    return result.split(separator: " ").map { word in
      word.dropFirst().contains(where: \.isUppercase) ? String(word) : word.lowercased()
    }.joined(separator: " ")
  }
}
