package import Diagnostics

/// Why a text is not the JSON that was asked for.
package enum JSONError: Error, Equatable, Sendable {
  case tooLarge(byteCount: Int, limit: Int)
  case tooDeep(limit: Int, at: JSONPosition)
  case invalidUTF8(at: JSONPosition)
  /// Something else than the grammar asks for here; `found` is nil at the end of the text.
  case unexpected(found: String?, expected: String, at: JSONPosition)
  case invalidEscape(at: JSONPosition)
  /// Half of a UTF-16 surrogate pair: no Unicode text.
  case loneSurrogate(at: JSONPosition)
  case controlCharacterInString(at: JSONPosition)
  case invalidNumber(at: JSONPosition)
  /// A number that no finite double can stand for.
  case numberOutOfRange(text: String, at: JSONPosition)
  case duplicateKey(String, at: JSONPosition)
  case missingMember(key: String)
  case unexpectedKind(key: String, expected: String, found: String)

  /// Where in the text, for the errors that have a place there.
  package var position: JSONPosition? {
    switch self {
    case .tooLarge, .missingMember, .unexpectedKind: nil
    case .tooDeep(_, let at), .invalidUTF8(let at), .unexpected(_, _, let at),
      .invalidEscape(let at), .loneSurrogate(let at), .controlCharacterInString(let at),
      .invalidNumber(let at), .numberOutOfRange(_, let at), .duplicateKey(_, let at):
      at
    }
  }
}

extension JSONError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .tooLarge: "jsonTooLarge"
    case .tooDeep: "jsonTooDeep"
    case .invalidUTF8: "jsonInvalidUTF8"
    case .unexpected: "jsonSyntax"
    case .invalidEscape: "jsonInvalidEscape"
    case .loneSurrogate: "jsonLoneSurrogate"
    case .controlCharacterInString: "jsonControlCharacter"
    case .invalidNumber: "jsonInvalidNumber"
    case .numberOutOfRange: "jsonNumberOutOfRange"
    case .duplicateKey: "jsonDuplicateKey"
    case .missingMember: "jsonMissingMember"
    case .unexpectedKind: "jsonUnexpectedKind"
    }
  }

  package var message: String {
    guard let position else { return reason }
    return "\(position): \(reason)"
  }

  package var disposition: Disposition { .permanent }

  /// What is wrong, without the place.
  package var reason: String {
    switch self {
    case .tooLarge(let count, let limit):
      "\(count) bytes of JSON are more than the limit of \(limit)"
    case .tooDeep(let limit, _): "arrays and objects nest deeper than \(limit) levels"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .unexpected(let found?, let expected, _): "\(found) stands where \(expected) is expected"
    case .unexpected(nil, let expected, _): "the text ends where \(expected) is expected"
    case .invalidEscape: "a backslash starts no escape sequence of JSON"
    case .loneSurrogate: "an escape sequence is half of a surrogate pair"
    case .controlCharacterInString: "a control character stands in a string; it must be escaped"
    case .invalidNumber: "the number is not written as JSON numbers are"
    case .numberOutOfRange(let text, _): "\(text) is beyond the range of a double"
    case .duplicateKey(let key, _): "the key \(JSONValue.string(key).text()) stands twice"
    case .missingMember(let key): "the member \(JSONValue.string(key).text()) is missing"
    case .unexpectedKind(let key, let expected, let found):
      "the member \(JSONValue.string(key).text()) is \(found), not \(expected)"
    }
  }
}
