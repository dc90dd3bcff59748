extension TIFFByteOrder {
  /// Two bytes at `offset` as a number.
  ///
  /// The bytes lie within the array (checked: a trap otherwise).
  package func uint16(_ bytes: [UInt8], at offset: Int) -> UInt16 {
    let first = UInt16(bytes[offset])
    let second = UInt16(bytes[offset + 1])
    return self == .bigEndian ? first << 8 | second : second << 8 | first
  }

  /// Four bytes at `offset` as a number.
  package func uint32(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    let first = UInt32(uint16(bytes, at: offset))
    let second = UInt32(uint16(bytes, at: offset + 2))
    return self == .bigEndian ? first << 16 | second : second << 16 | first
  }

  /// Eight bytes at `offset` as a number.
  package func uint64(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    let first = UInt64(uint32(bytes, at: offset))
    let second = UInt64(uint32(bytes, at: offset + 4))
    return self == .bigEndian ? first << 32 | second : second << 32 | first
  }
}
