extension FilePath {
  /// The path as text for people and logs, never to be turned back into a path.
  ///
  /// Valid UTF-8 stands as it is. Other bytes, control characters, characters that turn the writing
  /// direction and the backslash stand as `\xHH` (`\\` for the backslash), so that no name can move a
  /// cursor, forge a line or look like another.
  package var displayText: String {
    // Nearly every path is printable ASCII, and a report shows millions.
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      guard let length = FilePath.sequenceLength(first), rest.count >= length,
        let part = String(validating: rest.prefix(length), as: UTF8.self)
      else {
        text += FilePath.escape(first)
        rest = rest.dropFirst()
        continue
      }
      for scalar in part.unicodeScalars {
        if scalar == "\\" {
          text += "\\\\"
        } else if FilePath.isUnsafeToShow(scalar) {
          for byte in rest.prefix(length) { text += FilePath.escape(byte) }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      rest = rest.dropFirst(length)
    }
    return text
  }

  /// The path as text, where its bytes are valid UTF-8.
  package var exactText: String? { String(validating: bytes, as: UTF8.self) }

  /// The bytes as lower-case hexadecimal digits, which any JSON or shell carries.
  package var hexText: String {
    var text = ""
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text += FilePath.twoDigits(byte)
    }
    return text
  }

  /// The path that `hexText` came from; nothing for text that is not pairs of hexadecimal digits.
  package init?(hexText: String) {
    let digits = Array(hexText.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = FilePath.digitValue(digits[index]),
        let low = FilePath.digitValue(digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  private static func sequenceLength(_ first: UInt8) -> Int? {
    switch first {
    case 0x00...0x7F: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: nil
    }
  }

  private static func isUnsafeToShow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  private static func escape(_ byte: UInt8) -> String { "\\x" + twoDigits(byte) }

  private static func twoDigits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }

  private static func digitValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
