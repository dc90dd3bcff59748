extension JSONValue {
  /// The member of an object; nil where it is absent or this is no object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.hasSameScalars(as: key) }?.value
  }

  /// The element of an array; nil outside it or where this is no array.
  package subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  package var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  package var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// An integer, also one written as `1.0` or `1e3`.
  package var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  package var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  package var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var arrayValue: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var objectValue: [(key: String, value: JSONValue)]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// What kind of value this is, in words for a message.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The object with one more member, or with that member replaced; other values stay as they are.
  package func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    if let index = members.firstIndex(where: { $0.key.hasSameScalars(as: key) }) {
      members[index].value = value
    } else {
      members.append((key: key, value: value))
    }
    return .object(members)
  }
}
