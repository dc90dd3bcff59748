extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) {
    self = .null
  }

  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  package init(floatLiteral value: Double) {
    self = .init(value)
  }

  package init(stringLiteral value: String) {
    self = .string(value)
  }

  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// An object with its members in the order of the literal.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONValue {
  package init(_ value: Bool) {
    self = .bool(value)
  }

  package init(_ value: String) {
    self = .string(value)
  }

  /// A number; what is not finite has no JSON form and becomes null.
  package init(_ value: Double) {
    self = value.isFinite ? .number(value) : .null
  }

  /// An integer; beyond 64 bits, signed, the nearest double.
  package init(_ value: some BinaryInteger) {
    self = Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
  }

  package init(_ elements: [JSONValue]) {
    self = .array(elements)
  }

  /// The wrapped value, or null.
  package init(_ value: String?) {
    self = value.map { .string($0) } ?? .null
  }

  /// The wrapped value, or null.
  package init(_ value: Double?) {
    self = value.map { .init($0) } ?? .null
  }

  /// An object of the members that have a value: absent ones are left out, not written as null.
  package static func object(omittingAbsent members: KeyValuePairs<String, JSONValue?>) -> JSONValue
  {
    .object(
      members.compactMap { member in member.value.map { (key: member.key, value: $0) } }
    )
  }
}
