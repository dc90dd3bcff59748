extension JSONParser {
  /// The string whose opening quote is the current byte.
  mutating func parseString() throws(JSONError) -> String {
    offset += 1
    var bytes: [UInt8] = []
    let start = offset
    while true {
      // Copies up to the next quote, backslash or control character.
      let run = offset
      while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
      {
        offset += 1
      }
      bytes += text[run..<offset]
      switch current {
      case UInt8(ascii: "\""):
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw .invalidUTF8(at: position(start + Self.validPrefix(text[start..<offset])))
        }
        offset += 1
        return string
      case UInt8(ascii: "\\"): bytes += try parseEscape().utf8
      case nil: throw unexpected("a closing quote")
      default: throw .controlCharacterInString(at: position(offset))
      }
    }
  }

  /// How many of the bytes are valid UTF-8 from the start.
  private static func validPrefix(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    while count < bytes.count {
      let rest = bytes.dropFirst(count)
      guard
        let length = (1...4).first(where: {
          $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil
        })
      else { break }
      count += length
    }
    return count
  }

  private mutating func parseEscape() throws(JSONError) -> String {
    let start = offset
    offset += 1
    guard let byte = current else { throw unexpected("an escape sequence") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try parseUnicodeEscape(start))
    default: throw .invalidEscape(at: position(start))
    }
  }

  /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair.
  private mutating func parseUnicodeEscape(_ start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try parseHexadecimal(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), text[offset...].starts(with: [0x5C, 0x75]) else {
      throw .loneSurrogate(at: position(start))
    }
    offset += 2
    let second = try parseHexadecimal(start)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else {
      throw .loneSurrogate(at: position(start))
    }
    return scalar
  }

  private mutating func parseHexadecimal(_ start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .invalidEscape(at: position(start))
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
