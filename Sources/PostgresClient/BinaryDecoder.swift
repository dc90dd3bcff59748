/// Reads values in PostgreSQL's binary format from the bytes of one column; nil where they end early.
struct BinaryDecoder {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var remaining: Int { bytes.count - position }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let width = Value.bitWidth / 8
    guard remaining >= width else { return nil }
    var value: Value = 0
    for index in 0..<width {
      value =
        (Value.bitWidth == 8 ? 0 : value << 8) | Value(truncatingIfNeeded: bytes[position + index])
    }
    position += width
    return value
  }

  /// A `smallint`, `integer` or `bigint`, by the number of bytes.
  mutating func anyInteger() -> Int64? {
    switch remaining {
    case 2: integer(Int16.self).map { Int64($0) }
    case 4: integer(Int32.self).map { Int64($0) }
    case 8: integer(Int64.self)
    default: nil
    }
  }

  mutating func double() -> Double? {
    integer(UInt64.self).map { Double(bitPattern: $0) }
  }

  mutating func uuid() -> UUIDValue? {
    guard let high = integer(UInt64.self), let low = integer(UInt64.self) else { return nil }
    return UUIDValue(high: high, low: low)
  }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, remaining >= count else { return nil }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes[position...])
  }

  mutating func text() -> String? {
    String(validating: rest(), as: UTF8.self)
  }

  /// The elements of a one-dimensional array without NULLs.
  mutating func array<Element>(_ element: (inout BinaryDecoder) -> Element?) -> [Element]? {
    guard let dimensions = integer(Int32.self), integer(Int32.self) != nil,
      integer(UInt32.self) != nil
    else { return nil }
    if dimensions == 0 { return [] }
    guard dimensions == 1, let count = integer(Int32.self), integer(Int32.self) != nil,
      count >= 0, Int(count) <= remaining / 4
    else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let length = integer(Int32.self), let content = take(Int(length)) else { return nil }
      var decoder = BinaryDecoder(content)
      guard let value = element(&decoder) else { return nil }
      elements.append(value)
    }
    return elements
  }
}
