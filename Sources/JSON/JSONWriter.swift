/// Writes values as JSON text.
struct JSONWriter {
  private let style: JSONStyle
  private(set) var output: [UInt8] = []

  init(_ style: JSONStyle) {
    self.style = style
  }

  mutating func write(_ value: JSONValue, level: Int = 0) {
    switch value {
    case .null: write("null")
    case .bool(let value): write(value ? "true" : "false")
    case .integer(let value):
      write(style == .canonical ? Double(value).ecmaScriptText : String(value))
    case .number(let value): write(value.isFinite ? value.ecmaScriptText : "null")
    case .string(let value): write(quoting: value)
    case .array(let elements):
      writeContainer("[", "]", elements, level) { writer, element in
        writer.write(element, level: level + 1)
      }
    case .object(let members):
      let ordered =
        style == .canonical ? members.sorted { $0.key.precedesInUTF16($1.key) } : members
      writeContainer("{", "}", ordered, level) { writer, member in
        writer.write(quoting: member.key)
        writer.write(writer.style == .pretty ? ": " : ":")
        writer.write(member.value, level: level + 1)
      }
    }
  }

  private mutating func writeContainer<Element>(
    _ opening: String,
    _ closing: String,
    _ elements: [Element],
    _ level: Int,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    write(opening)
    for (index, element) in elements.enumerated() {
      if index > 0 { write(",") }
      breakLine(level + 1)
      body(&self, element)
    }
    if !elements.isEmpty { breakLine(level) }
    write(closing)
  }

  private mutating func breakLine(_ level: Int) {
    guard style == .pretty else { return }
    output.append(0x0A)
    output += repeatElement(0x20, count: 2 * level)
  }

  private mutating func write(_ text: String) {
    output += text.utf8
  }

  /// A string with the escapes of RFC 8785, section 3.2.2.2: the shortest, and only where needed.
  private mutating func write(quoting text: String) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x08: write("\\b")
      case 0x09: write("\\t")
      case 0x0A: write("\\n")
      case 0x0C: write("\\f")
      case 0x0D: write("\\r")
      case 0..<0x20:
        write(byte < 0x10 ? "\\u000" : "\\u00")
        write(String(byte, radix: 16))
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension JSONValue {
  /// The UTF-8 bytes of the value as JSON, without a final line feed.
  package func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.write(self)
    return writer.output
  }

  /// The value as JSON text, without a final line feed.
  package func text(_ style: JSONStyle = .compact) -> String {
    String(decoding: bytes(style), as: UTF8.self)
  }
}
