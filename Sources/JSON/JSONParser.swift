/// A strict parser of RFC 8259 texts: UTF-8 is checked, duplicate keys, lone surrogates and numbers
/// beyond a double are refused, nothing may follow the value, and depth and size have limits.
///
/// It keeps its own stack: a text cannot exhaust the thread's.
package struct JSONParser {
  let text: [UInt8]
  let limits: JSONLimits
  var offset = 0
  /// The open containers, innermost last: the keys so far of an object, nil for an array.
  private var open: [Set<ScalarKey>?] = []

  private init(_ text: [UInt8], _ limits: JSONLimits) {
    self.text = text
    self.limits = limits
  }

  /// The value of a text.
  package static func parse(
    _ text: [UInt8],
    limits: JSONLimits = .init()
  ) throws(JSONError) -> JSONValue {
    var builder = JSONTreeBuilder()
    try parse(text, limits: limits, into: &builder)
    return builder.result
  }

  /// The value of a text.
  package static func parse(
    _ text: String,
    limits: JSONLimits = .init()
  ) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8), limits: limits)
  }

  /// Hands the steps of a text to a handler.
  package static func parse(
    _ text: [UInt8],
    limits: JSONLimits = .init(),
    into handler: inout some JSONEventHandler
  ) throws(JSONError) {
    guard text.count <= limits.byteCount else {
      throw .tooLarge(byteCount: text.count, limit: limits.byteCount)
    }
    var parser = JSONParser(text, limits)
    try parser.parseDocument(into: &handler)
  }

  private mutating func parseDocument(into handler: inout some JSONEventHandler) throws(JSONError) {
    skipWhitespace()
    try parseValue(into: &handler)
    while !open.isEmpty {
      skipWhitespace()
      try parseContinuation(into: &handler)
    }
    skipWhitespace()
    guard offset == text.count else { throw unexpected("the end of the text") }
  }

  /// One value, of a container only its start (and its end, where it is empty).
  private mutating func parseValue(into handler: inout some JSONEventHandler) throws(JSONError) {
    let start = offset
    switch current {
    case UInt8(ascii: "{"):
      try begin(Set())
      handler.handle(.beginObject, at: start)
      skipWhitespace()
      if current == UInt8(ascii: "}") {
        end(.endObject, &handler)
      } else {
        try parseMember(into: &handler)
      }
    case UInt8(ascii: "["):
      try begin(nil)
      handler.handle(.beginArray, at: start)
      skipWhitespace()
      if current == UInt8(ascii: "]") {
        end(.endArray, &handler)
      } else {
        try parseValue(into: &handler)
      }
    case UInt8(ascii: "\""): handler.handle(.scalar(.string(try parseString())), at: start)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      handler.handle(.scalar(try parseNumber()), at: start)
    default: handler.handle(.scalar(try parseWord()), at: start)
    }
  }

  /// What follows a value inside a container: a comma and the next value, or the container's end.
  private mutating func parseContinuation(
    into handler: inout some JSONEventHandler
  ) throws(JSONError) {
    guard let innermost = open.last else { return }
    let isObject = innermost != nil
    switch current {
    case UInt8(ascii: ","):
      offset += 1
      skipWhitespace()
      if isObject { try parseMember(into: &handler) } else { try parseValue(into: &handler) }
    case UInt8(ascii: "}") where isObject: end(.endObject, &handler)
    case UInt8(ascii: "]") where !isObject: end(.endArray, &handler)
    default: throw unexpected(isObject ? "a comma or }" : "a comma or ]")
    }
  }

  private mutating func parseMember(into handler: inout some JSONEventHandler) throws(JSONError) {
    let start = offset
    guard current == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let key = try parseString()
    // Taken out and put back: the set is changed in place.
    if case .some(.some(var keys)) = open.popLast() {
      let isNew = keys.insert(ScalarKey(key)).inserted
      open.append(keys)
      guard isNew else { throw .duplicateKey(key, at: position(start)) }
    }
    handler.handle(.key(key), at: start)
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected("a colon") }
    offset += 1
    skipWhitespace()
    try parseValue(into: &handler)
  }

  private mutating func begin(_ keys: Set<ScalarKey>?) throws(JSONError) {
    guard open.count < limits.depth else {
      throw .tooDeep(limit: limits.depth, at: position(offset))
    }
    open.append(keys)
    offset += 1
  }

  private mutating func end(_ event: JSONEvent, _ handler: inout some JSONEventHandler) {
    handler.handle(event, at: offset)
    open.removeLast()
    offset += 1
  }

  private mutating func parseWord() throws(JSONError) -> JSONValue {
    let words: [(StaticString, JSONValue)] = [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    ]
    for (word, value) in words {
      let bytes = Array(word.description.utf8)
      if text[offset...].starts(with: bytes) {
        offset += bytes.count
        return value
      }
    }
    throw unexpected("a value")
  }

  // MARK: - Bytes

  var current: UInt8? { offset < text.count ? text[offset] : nil }

  mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  func position(_ offset: Int) -> JSONPosition {
    JSONPosition(offset: offset, in: text)
  }

  func unexpected(_ expected: String) -> JSONError {
    var found: String?
    if let byte = current {
      // The whole character where it is a printable one, else its first byte.
      let character = String(decoding: text[offset..<min(offset + 4, text.count)], as: UTF8.self)
        .unicodeScalars.first
      if let character, byte >= 0x20, character != "\u{FFFD}", character != "\u{7F}" {
        found = "'\(character)'"
      } else {
        found = "byte 0x" + String(byte, radix: 16)
      }
    }
    return .unexpected(found: found, expected: expected, at: position(offset))
  }
}

/// A key by its scalars: two spellings of one letter are two keys.
private struct ScalarKey: Hashable {
  let key: String

  init(_ key: String) {
    self.key = key
  }

  static func == (left: ScalarKey, right: ScalarKey) -> Bool {
    left.key.hasSameScalars(as: right.key)
  }

  func hash(into hasher: inout Hasher) {
    for byte in key.utf8 {
      hasher.combine(byte)
    }
  }
}
