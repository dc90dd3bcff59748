internal import JSON

/// Text as a database column can hold it: no U+0000, and not without end.
///
/// Messages may quote what stood in a file.
func databaseText(_ text: String, limit: Int = 4_000) -> String {
  if text.utf8.count <= limit, !text.utf8.contains(0) { return text }
  let clean = text.unicodeScalars.lazy.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 }
  return String(String.UnicodeScalarView(clean.prefix(limit)))
}

/// A JSON value as `jsonb` can hold it: no U+0000 in any string.
func databaseJSON(_ value: JSONValue) -> String {
  let bytes = value.bytes(.compact)
  // A writer spells U+0000 as \u0000 and nothing else; where no such spelling stands, all is well.
  return holdsEscapedNUL(bytes)
    ? withoutNUL(value).text(.compact) : String(decoding: bytes, as: UTF8.self)
}

private func holdsEscapedNUL(_ bytes: [UInt8]) -> Bool {
  let spelling = Array("\\u0000".utf8)
  var start = bytes.startIndex
  while let position = bytes[start...].firstIndex(of: spelling[0]) {
    if bytes[position...].starts(with: spelling) { return true }
    start = position + 1
  }
  return false
}

private func withoutNUL(_ value: JSONValue) -> JSONValue {
  switch value {
  case .string(let text): .string(databaseText(text, limit: .max))
  case .array(let elements): .array(elements.map(withoutNUL))
  case .object(let members):
    .object(members.map { (databaseText($0.key, limit: .max), withoutNUL($0.value)) })
  case .null, .bool, .integer, .number: value
  }
}
