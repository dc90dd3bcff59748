/// Appends values in PostgreSQL's binary format: big-endian, lengths before contents.
struct BinaryEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    var shift = value.bitWidth - 8
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      shift -= 8
    }
  }

  mutating func append(_ value: Double) {
    append(value.bitPattern)
  }

  mutating func append(_ value: UUIDValue) {
    append(value.high)
    append(value.low)
  }

  mutating func append(contentsOf content: some Sequence<UInt8>) {
    bytes.append(contentsOf: content)
  }

  /// A length word, then what `body` appends.
  mutating func appendSized(_ body: (inout BinaryEncoder) -> Void) throws(PostgresError) {
    let start = bytes.count
    append(Int32(0))
    body(&self)
    let length = bytes.count - start - 4
    guard let length32 = Int32(exactly: length), length32 < PostgresLimits.valueBytes else {
      throw .valueTooLarge(bytes: length, limit: Int(PostgresLimits.valueBytes))
    }
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: length32 >> (24 - 8 * index))
    }
  }

  /// A one-dimensional array with lower bound 1; `nil` elements are NULL.
  mutating func appendArray<Element>(
    _ elements: [Element?],
    of type: PostgresType,
    _ body: (inout BinaryEncoder, Element) -> Void
  ) throws(PostgresError) {
    append(Int32(elements.isEmpty ? 0 : 1))
    append(Int32(elements.contains { $0 == nil } ? 1 : 0))
    append(type.rawValue)
    guard !elements.isEmpty else { return }
    guard let count = Int32(exactly: elements.count) else {
      throw .valueTooLarge(bytes: elements.count, limit: Int(Int32.max))
    }
    append(count)
    append(Int32(1))
    for element in elements {
      guard let element else {
        append(Int32(-1))
        continue
      }
      try appendSized { body(&$0, element) }
    }
  }
}

/// Limits of the wire protocol.
enum PostgresLimits {
  /// One value, parameter or message: 1 GB (`MaxAllocSize` of PostgreSQL).
  static let valueBytes: Int32 = 0x3fff_ffff
}

extension BinaryEncoder {
  /// Appends the parameter's content and says whether it is a value (not NULL).
  mutating func append(_ parameter: PostgresParameter) throws(PostgresError) -> Bool {
    switch parameter {
    case .null: return false
    case .bool(let value): append(UInt8(value ? 1 : 0))
    case .int16(let value): append(value)
    case .int32(let value): append(value)
    case .int64(let value): append(value)
    case .double(let value): append(value)
    case .text(let value): append(contentsOf: value.utf8)
    case .bytes(let value): append(contentsOf: value)
    case .uuid(let value): append(value)
    case .jsonb(let value): appendJSONB(value)
    case .boolArray(let values):
      try appendArray(values, of: .boolean) { $0.append(UInt8($1 ? 1 : 0)) }
    case .int16Array(let values): try appendArray(values, of: .smallint) { $0.append($1) }
    case .int32Array(let values): try appendArray(values, of: .integer) { $0.append($1) }
    case .int64Array(let values): try appendArray(values, of: .bigint) { $0.append($1) }
    case .doubleArray(let values): try appendArray(values, of: .double) { $0.append($1) }
    case .textArray(let values):
      try appendArray(values, of: .text) { $0.append(contentsOf: $1.utf8) }
    case .bytesArray(let values):
      try appendArray(values, of: .bytea) { $0.append(contentsOf: $1) }
    case .uuidArray(let values): try appendArray(values, of: .uuid) { $0.append($1) }
    case .jsonbArray(let values): try appendArray(values, of: .jsonb) { $0.appendJSONB($1) }
    }
    return true
  }

  /// Version 1 of the binary format of `jsonb`: one byte, then the text.
  private mutating func appendJSONB(_ text: String) {
    append(UInt8(1))
    append(contentsOf: text.utf8)
  }
}
