import RawModel

/// An opcode list as the tags OpcodeList1 to 3 store it: big-endian, each opcode's parameters as they
/// were read.
enum OpcodeListBytes {
  /// The bytes of a list whose opcodes come from a file; no bytes for an empty list, which needs no tag.
  static func serialize(_ opcodes: [Opcode]) -> [UInt8] {
    guard !opcodes.isEmpty else { return [] }
    var bytes = word(UInt32(truncatingIfNeeded: opcodes.count))
    for opcode in opcodes {
      bytes += word(UInt32(truncatingIfNeeded: opcode.id))
      bytes += word(opcode.version)
      bytes += word(opcode.flags)
      bytes += word(UInt32(truncatingIfNeeded: opcode.data.count))
      bytes += opcode.data
    }
    return bytes
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
