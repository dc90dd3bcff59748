/// Parameters of opcodes as a test writes them: big-endian.
struct OpcodeBytes {
  var bytes: [UInt8] = []

  mutating func word(_ values: Int...) {
    for value in values { bytes += Self.bytes(UInt64(truncatingIfNeeded: value), 4) }
  }

  mutating func short(_ values: Int...) {
    for value in values { bytes += Self.bytes(UInt64(truncatingIfNeeded: value), 2) }
  }

  mutating func double(_ values: Double...) { doubles(values) }

  mutating func doubles(_ values: [Double]) {
    for value in values { bytes += Self.bytes(value.bitPattern, 8) }
  }

  mutating func float(_ values: Float...) {
    for value in values { bytes += Self.bytes(UInt64(value.bitPattern), 4) }
  }

  /// One opcode with its header.
  static func opcode(
    _ id: Int,
    version: Int = 0x0103_0000,
    flags: Int = 0,
    _ fill: (inout OpcodeBytes) -> Void
  ) -> [UInt8] {
    var parameters = OpcodeBytes()
    fill(&parameters)
    var opcode = OpcodeBytes()
    opcode.word(id, version, flags, parameters.bytes.count)
    return opcode.bytes + parameters.bytes
  }

  /// A list of opcodes.
  static func list(_ opcodes: [[UInt8]]) -> [UInt8] {
    var list = OpcodeBytes()
    list.word(opcodes.count)
    return list.bytes + opcodes.joined()
  }

  private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
  }
}
