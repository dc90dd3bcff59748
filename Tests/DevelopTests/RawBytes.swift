import FileSystem

/// Numbers as the raw files hold them that tests and oracle scripts exchange (little endian).
enum RawBytes {
  static func bytes(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
  }

  static func doubles(_ bytes: [UInt8]) -> [Double] {
    stride(from: 0, to: bytes.count - 7, by: 8).map { start in
      Double(bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * $1) })
    }
  }

  static func words(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
  }
}
