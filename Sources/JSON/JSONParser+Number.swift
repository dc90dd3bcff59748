extension JSONParser {
  /// The longest number that is read: a double needs at most 767 significant digits to be exact.
  private static let longestNumber = 1_100

  /// The number that starts at the current byte.
  mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = offset
    var isInteger = true
    if current == UInt8(ascii: "-") { offset += 1 }
    if current == UInt8(ascii: "0") {
      offset += 1  // no digit may follow a leading zero
    } else {
      try skipDigits(start)
    }
    if current == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      try skipDigits(start)
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
      try skipDigits(start)
    }
    if let next = current, Self.isDigit(next) { throw .invalidNumber(at: position(start)) }
    guard offset - start <= Self.longestNumber else { throw .invalidNumber(at: position(start)) }
    let digits = String(decoding: text[start..<offset], as: UTF8.self)
    // -0 has no integer form.
    if isInteger, let integer = Int64(digits), integer != 0 || digits == "0" {
      return .integer(integer)
    }
    guard let number = Double(digits), number.isFinite else {
      throw .numberOutOfRange(text: String(digits.prefix(40)), at: position(start))
    }
    return .number(number)
  }

  private mutating func skipDigits(_ start: Int) throws(JSONError) {
    guard let first = current, Self.isDigit(first) else {
      throw .invalidNumber(at: position(start))
    }
    while let byte = current, Self.isDigit(byte) {
      offset += 1
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
