extension TIFFDirectory {
  /// Whole numbers (BYTE, SHORT, LONG, LONG8, IFD and the signed types).
  ///
  /// - Throws: `wrongType` for other types, `wrongCount` or `tooManyValues` outside `count`,
  ///   `invalidValue` over `Int.max`, and what `entry(_:)` throws.
  package func integers(
    _ tag: TIFFTag,
    count expected: ClosedRange<Int>
  ) throws(TIFFReadError) -> [Int]? {
    guard let (type, count, start) = try values(tag, count: expected) else { return nil }
    var result: [Int] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let offset = start + index * type.byteCount
      guard let value = integer(type, at: offset) else {
        if type == .long8 || type == .ifd8 {
          throw .invalidValue(
            site(tag),
            value: "\(file.byteOrder.uint64(file.bytes, at: offset))",
            expected: "at most \(Int.max)"
          )
        }
        throw .wrongType(site(tag), storedType: type.rawValue)
      }
      result.append(value)
    }
    return result
  }

  /// One whole number.
  ///
  /// - Throws: as `integers(_:count:)`, and `invalidValue` outside `range`.
  package func integer(
    _ tag: TIFFTag,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(TIFFReadError) -> Int? {
    guard let value = try integers(tag, count: 1...1)?[0] else { return nil }
    guard range.contains(value) else {
      throw .invalidValue(
        site(tag),
        value: "\(value)",
        expected: "\(range.lowerBound) to \(range.upperBound)"
      )
    }
    return value
  }

  /// One whole number that must be there.
  ///
  /// - Throws: as `integer(_:in:)`, and `missingTag`.
  package func requiredInteger(
    _ tag: TIFFTag,
    in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(TIFFReadError) -> Int {
    guard let value = try integer(tag, in: range) else { throw .missingTag(site(tag)) }
    return value
  }

  /// File offsets (LONG, IFD, LONG8, IFD8), unchecked against the file.
  ///
  /// - Throws: as `integers(_:count:)`.
  package func offsets(
    _ tag: TIFFTag,
    count expected: ClosedRange<Int>
  ) throws(TIFFReadError) -> [UInt64]? {
    guard let (type, count, start) = try values(tag, count: expected) else { return nil }
    return try (0..<count).map { (index) throws(TIFFReadError) in
      let offset = start + index * type.byteCount
      switch type {
      case .short: return UInt64(file.byteOrder.uint16(file.bytes, at: offset))
      case .long, .ifd: return UInt64(file.byteOrder.uint32(file.bytes, at: offset))
      case .long8, .ifd8: return file.byteOrder.uint64(file.bytes, at: offset)
      default: throw .wrongType(site(tag), storedType: type.rawValue)
      }
    }
  }

  /// Numbers of any numeric type; rationals are divided.
  ///
  /// - Throws: `invalidValue` for a rational with denominator 0 and for floats that are no finite
  ///   number; otherwise as `integers(_:count:)`.
  package func numbers(
    _ tag: TIFFTag,
    count expected: ClosedRange<Int>
  ) throws(TIFFReadError) -> [Double]? {
    guard let (type, count, start) = try values(tag, count: expected) else { return nil }
    var result: [Double] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let value = try number(tag, type, at: start + index * type.byteCount)
      guard value.isFinite else {
        throw .invalidValue(
          site(tag),
          value: type.isRational ? "a fraction over 0" : "\(value)",
          expected: "a finite number"
        )
      }
      result.append(value)
    }
    return result
  }

  /// One number of any numeric type.
  package func number(_ tag: TIFFTag) throws(TIFFReadError) -> Double? {
    try numbers(tag, count: 1...1)?[0]
  }

  /// The bytes of a BYTE, ASCII, SBYTE or UNDEFINED value.
  ///
  /// - Throws: `wrongType`, `tooManyValues` over `limit`, and what `entry(_:)` throws.
  package func bytes(_ tag: TIFFTag, limit: Int) throws(TIFFReadError) -> [UInt8]? {
    guard let (type, count, start) = try values(tag, count: 0...limit) else { return nil }
    guard type.byteCount == 1 else {
      throw .wrongType(site(tag), storedType: type.rawValue)
    }
    return Array(file.bytes[start..<start + count])
  }

  /// A text (ASCII, BYTE or UNDEFINED) up to its NUL, without the blanks around it.
  ///
  /// Bytes that are no UTF-8 become U+FFFD; nil where nothing is left.
  ///
  /// - Throws: as `bytes(_:limit:)`.
  package func text(_ tag: TIFFTag, limit: Int = 65_536) throws(TIFFReadError) -> String? {
    guard let bytes = try bytes(tag, limit: limit) else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
    let text = bytes.prefix { $0 != 0 }.drop(while: isBlank)
    guard let last = text.lastIndex(where: { !isBlank($0) }) else { return nil }
    return String(decoding: text[...last], as: UTF8.self)
  }

  /// The bytes of an entry's values as they stand in the file, in its byte order.
  ///
  /// - Throws: `wrongType` for an unknown type, `valueOutsideFile`, `tooManyValues`.
  package func storedBytes(
    of entry: TIFFEntry,
    limit: Int
  ) throws(TIFFReadError) -> [UInt8] {
    guard let type = entry.type else {
      throw .wrongType(site(entry.tag), storedType: entry.storedType)
    }
    let start = try position(of: entry, type: type)
    // Within the file, so that this fits in an Int.
    let byteCount = Int(entry.count) * type.byteCount
    guard byteCount <= limit else {
      throw .tooManyValues(site(entry.tag), count: entry.count, limit: limit / type.byteCount)
    }
    return Array(file.bytes[start..<start + byteCount])
  }

  private func integer(_ type: TIFFFieldType, at offset: Int) -> Int? {
    let (order, bytes) = (file.byteOrder, file.bytes)
    switch type {
    case .byte, .undefined: return Int(bytes[offset])
    case .sbyte: return Int(Int8(bitPattern: bytes[offset]))
    case .short: return Int(order.uint16(bytes, at: offset))
    case .sshort: return Int(Int16(bitPattern: order.uint16(bytes, at: offset)))
    case .long, .ifd: return Int(order.uint32(bytes, at: offset))
    case .slong: return Int(Int32(bitPattern: order.uint32(bytes, at: offset)))
    case .long8, .ifd8: return Int(exactly: order.uint64(bytes, at: offset))
    case .slong8: return Int(Int64(bitPattern: order.uint64(bytes, at: offset)))
    case .ascii, .rational, .srational, .float, .double: return nil
    }
  }

  private func number(
    _ tag: TIFFTag,
    _ type: TIFFFieldType,
    at offset: Int
  ) throws(TIFFReadError) -> Double {
    let (order, bytes) = (file.byteOrder, file.bytes)
    switch type {
    case .rational:
      return Double(order.uint32(bytes, at: offset)) / Double(order.uint32(bytes, at: offset + 4))
    case .srational:
      let numerator = Int32(bitPattern: order.uint32(bytes, at: offset))
      let denominator = Int32(bitPattern: order.uint32(bytes, at: offset + 4))
      return Double(numerator) / Double(denominator)
    case .float:
      return Double(Float(bitPattern: order.uint32(bytes, at: offset)))
    case .double:
      return Double(bitPattern: order.uint64(bytes, at: offset))
    case .long8, .ifd8:
      return Double(order.uint64(bytes, at: offset))
    default:
      guard let value = integer(type, at: offset) else {
        throw .wrongType(site(tag), storedType: type.rawValue)
      }
      return Double(value)
    }
  }
}

extension TIFFFieldType {
  /// Whether a value is a numerator and a denominator.
  package var isRational: Bool { self == .rational || self == .srational }
}
