/// Members that a message must have: each throws an error that names the key.
extension JSONValue {
  /// The member, which must exist; it may be null.
  package func require(_ key: String) throws(JSONError) -> JSONValue {
    guard let value = self[key] else { throw .missingMember(key: key) }
    return value
  }

  package func requireString(_ key: String) throws(JSONError) -> String {
    try require(key, "a string", \.stringValue)
  }

  package func requireBool(_ key: String) throws(JSONError) -> Bool {
    try require(key, "a boolean", \.boolValue)
  }

  package func requireDouble(_ key: String) throws(JSONError) -> Double {
    try require(key, "a number", \.doubleValue)
  }

  package func requireArray(_ key: String) throws(JSONError) -> [JSONValue] {
    try require(key, "an array", \.arrayValue)
  }

  /// An integer member that the given type can hold.
  package func requireInteger<Value: FixedWidthInteger>(
    _ key: String,
    as type: Value.Type = Int.self
  ) throws(JSONError) -> Value {
    let value = try require(key)
    guard let integer = value.integerValue, let result = Value(exactly: integer) else {
      throw .unexpectedKind(
        key: key,
        expected: "an integer of \(Value.bitWidth) bits",
        found: value.kindName
      )
    }
    return result
  }

  /// The member if it is there and not null, by the given requirement.
  package func optional<Value>(
    _ key: String,
    _ requirement: (String) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    guard let value = self[key], !value.isNull else { return nil }
    return try requirement(key)
  }

  private func require<Value>(
    _ key: String,
    _ expected: String,
    _ convert: (JSONValue) -> Value?
  ) throws(JSONError) -> Value {
    let value = try require(key)
    guard let converted = convert(value) else {
      throw .unexpectedKind(key: key, expected: expected, found: value.kindName)
    }
    return converted
  }
}
