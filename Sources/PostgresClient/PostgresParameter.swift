/// A value sent with a statement, in PostgreSQL's binary format.
package enum PostgresParameter: Sendable {
  case null(PostgresType)
  case bool(Bool)
  case int16(Int16)
  case int32(Int32)
  case int64(Int64)
  case double(Double)
  /// Text must not hold U+0000; the server refuses it.
  case text(String)
  case bytes([UInt8])
  case uuid(UUIDValue)
  /// The text of a JSON value, for a `jsonb` column.
  case jsonb(String)
  case boolArray([Bool?])
  case int16Array([Int16?])
  case int32Array([Int32?])
  case int64Array([Int64?])
  case doubleArray([Double?])
  case textArray([String?])
  case bytesArray([[UInt8]?])
  case uuidArray([UUIDValue?])
  case jsonbArray([String?])
}

extension PostgresParameter {
  package static func optional(_ value: Int64?) -> PostgresParameter {
    value.map { .int64($0) } ?? .null(.bigint)
  }

  package static func optional(_ value: Int32?) -> PostgresParameter {
    value.map { .int32($0) } ?? .null(.integer)
  }

  package static func optional(_ value: String?) -> PostgresParameter {
    value.map { .text($0) } ?? .null(.text)
  }

  package static func optional(_ value: [UInt8]?) -> PostgresParameter {
    value.map { .bytes($0) } ?? .null(.bytea)
  }

  /// The type that the server is told.
  package var type: PostgresType {
    switch self {
    case .null(let type): type
    case .bool: .boolean
    case .int16: .smallint
    case .int32: .integer
    case .int64: .bigint
    case .double: .double
    case .text: .text
    case .bytes: .bytea
    case .uuid: .uuid
    case .jsonb: .jsonb
    case .boolArray: .booleanArray
    case .int16Array: .smallintArray
    case .int32Array: .integerArray
    case .int64Array: .bigintArray
    case .doubleArray: .doubleArray
    case .textArray: .textArray
    case .bytesArray: .byteaArray
    case .uuidArray: .uuidArray
    case .jsonbArray: .jsonbArray
    }
  }
}
