internal import JSON

/// The core schema of YAML 1.2.2, section 10.3.2: what a plain scalar stands for.
enum YAMLCoreSchema {
  /// The value of a plain scalar; nil for numbers that are not finite.
  static func resolve(_ text: String) -> JSONValue? {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return nil
    default: break
    }
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : Substring(text)
    if [".inf", ".Inf", ".INF"].contains(String(unsigned)) { return nil }
    if text.hasPrefix("0o") { return integer(text, radix: 8) ?? .string(text) }
    if text.hasPrefix("0x") { return integer(text, radix: 16) ?? .string(text) }
    guard isDecimal(unsigned) else { return .string(text) }
    if let integer = Int64(text), integer != 0 || unsigned.allSatisfy({ $0 == "0" }) {
      return .integer(integer)
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }

  private static func integer(_ text: String, radix: Int) -> JSONValue? {
    let digits = text.dropFirst(2)
    guard digits.first?.isHexDigit == true else { return nil }  // no sign
    return Int64(digits, radix: radix).map { .integer($0) }
  }

  /// Whether a text is a decimal number.
  ///
  /// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private static func isDecimal(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    let whole = skipDigits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = skipDigits(&rest)
    }
    guard whole + fraction > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard skipDigits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func skipDigits(_ text: inout Substring.UTF8View.SubSequence) -> Int {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    text.removeFirst(digits.count)
    return digits.count
  }
}
