internal import JSON

/// A comparison with a number, as a rule writes it: `3200`, `">3200"`, `"<=800"`, `"800..3200"`.
package enum NumberCondition: Equatable, Sendable {
  case equal(Double)
  case less(Double)
  case atMost(Double)
  case greater(Double)
  case atLeast(Double)
  /// Both ends included.
  case between(Double, Double)

  package func holds(for value: Double) -> Bool {
    switch self {
    case .equal(let number): value == number
    case .less(let number): value < number
    case .atMost(let number): value <= number
    case .greater(let number): value > number
    case .atLeast(let number): value >= number
    case .between(let low, let high): (low...high).contains(value)
    }
  }

  /// Reads a number or a text; nil for anything else, and for a range whose ends are the wrong way round.
  init?(_ value: JSONValue) {
    if let number = value.doubleValue {
      guard Self.numbers.contains(number) else { return nil }
      self = .equal(number)
      return
    }
    guard let text = value.stringValue else { return nil }
    let compact = text.filter { $0 != " " }
    if let dots = compact.firstRange(of: "..") {
      guard let low = Self.number(compact[..<dots.lowerBound]),
        let high = Self.number(compact[dots.upperBound...]), low <= high
      else { return nil }
      self = .between(low, high)
      return
    }
    let comparators: [(String, (Double) -> NumberCondition)] = [
      ("<=", { .atMost($0) }), (">=", { .atLeast($0) }), ("<", { .less($0) }),
      (">", { .greater($0) }), ("", { .equal($0) }),
    ]
    for (sign, condition) in comparators where compact.hasPrefix(sign) {
      guard let number = Self.number(compact.dropFirst(sign.count)) else { return nil }
      self = condition(number)
      return
    }
    return nil
  }

  /// The condition as a recipe writes it.
  var json: JSONValue {
    switch self {
    case .equal(let number): JSONValue(number)
    case .less(let number): .string("<\(number.ecmaScriptText)")
    case .atMost(let number): .string("<=\(number.ecmaScriptText)")
    case .greater(let number): .string(">\(number.ecmaScriptText)")
    case .atLeast(let number): .string(">=\(number.ecmaScriptText)")
    case .between(let low, let high): .string("\(low.ecmaScriptText)..\(high.ecmaScriptText)")
    }
  }

  /// The numbers that may be compared with.
  static let numbers = 0.0...1e9

  /// The texts that are accepted, as a regular expression of ECMA-262.
  static let pattern = "^ *(<=?|>=?)? *[0-9]+ *$|^ *[0-9]+ *\\.\\. *[0-9]+ *$"

  static let expectation = "a number or a comparison such as \">3200\", \"<=800\" or \"800..3200\""

  private static func number(_ digits: Substring) -> Double? {
    guard (1...9).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    return Double(digits)
  }
}
