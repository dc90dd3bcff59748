extension JSONValue: Equatable {
  /// Equality of meaning: member order and the spelling of a number do not count; strings are equal
  /// when their scalars are (Swift's own equality would also take composed and decomposed letters
  /// for equal, which JSON keys are not).
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)):
      Int64(exactly: b) == a
    case (.string(let a), .string(let b)): a.hasSameScalars(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): haveEqualMembers(a, b)
    default: false
    }
  }

  private static func haveEqualMembers(
    _ left: [(key: String, value: JSONValue)],
    _ right: [(key: String, value: JSONValue)]
  ) -> Bool {
    guard left.count == right.count else { return false }
    let a = left.sorted { $0.key.precedesInUTF16($1.key) }
    let b = right.sorted { $0.key.precedesInUTF16($1.key) }
    return zip(a, b).allSatisfy { $0.key.hasSameScalars(as: $1.key) && $0.value == $1.value }
  }
}

extension String {
  /// Whether both strings are the same Unicode scalars.
  func hasSameScalars(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// The key order of RFC 8785, section 3.2.3: by UTF-16 code units.
  func precedesInUTF16(_ other: String) -> Bool {
    utf16.lexicographicallyPrecedes(other.utf16)
  }
}
