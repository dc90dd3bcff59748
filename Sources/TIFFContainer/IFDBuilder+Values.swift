extension IFDBuilder {
  /// Sets text with its closing NUL; a NUL inside ends it early, as readers would take it.
  package mutating func set(_ tag: TIFFTag, ascii text: String) {
    set(tag, type: .ascii, bytes: Array(text.utf8.prefix { $0 != 0 }) + [0])
  }

  package mutating func set(_ tag: TIFFTag, bytes: [UInt8]) {
    set(tag, type: .byte, bytes: bytes)
  }

  package mutating func set(_ tag: TIFFTag, undefined bytes: [UInt8]) {
    set(tag, type: .undefined, bytes: bytes)
  }

  package mutating func set(_ tag: TIFFTag, short value: UInt16) {
    set(tag, shorts: [value])
  }

  package mutating func set(_ tag: TIFFTag, shorts values: [UInt16]) {
    set(tag, type: .short, bytes: values.flatMap(littleEndianBytes))
  }

  package mutating func set(_ tag: TIFFTag, long value: UInt32) {
    set(tag, longs: [value])
  }

  package mutating func set(_ tag: TIFFTag, longs values: [UInt32]) {
    set(tag, type: .long, bytes: values.flatMap(littleEndianBytes))
  }

  package mutating func set(_ tag: TIFFTag, rationals values: [TIFFRational]) {
    set(
      tag,
      type: .rational,
      bytes: values.flatMap { littleEndianBytes($0.numerator) + littleEndianBytes($0.denominator) }
    )
  }

  package mutating func set(_ tag: TIFFTag, signedRationals values: [TIFFSignedRational]) {
    set(
      tag,
      type: .srational,
      bytes: values.flatMap { littleEndianBytes($0.numerator) + littleEndianBytes($0.denominator) }
    )
  }

  package mutating func set(_ tag: TIFFTag, floats values: [Float]) {
    set(tag, type: .float, bytes: values.flatMap { littleEndianBytes($0.bitPattern) })
  }

  package mutating func set(_ tag: TIFFTag, doubles values: [Double]) {
    set(tag, type: .double, bytes: values.flatMap { littleEndianBytes($0.bitPattern) })
  }
}

/// The bytes of a number, lowest first.
func littleEndianBytes<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
  (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
