/// One entry of an opcode list (OpcodeList1-3, 51008, 51009, 51022).
package struct Opcode: Equatable, Sendable {
  package var operation: Operation
  /// The DNG version that defines it, as four bytes in one number (0x01030000).
  package var version: UInt32
  /// Bit 0 optional, bit 1 skipped for previews; others are kept as they are.
  package var flags: UInt32
  /// Its parameters as stored (big-endian), so that a list can be written again unchanged; empty for
  /// an opcode that no file holds.
  package var data: [UInt8]

  package init(operation: Operation, version: UInt32, flags: UInt32, data: [UInt8]) {
    self.operation = operation
    self.version = version
    self.flags = flags
    self.data = data
  }

  /// An opcode that stands in no file.
  package init(operation: Operation, isOptional: Bool, isSkippedForPreview: Bool) {
    self.init(
      operation: operation,
      version: operation.definingVersion,
      flags: (isOptional ? 1 : 0) | (isSkippedForPreview ? 2 : 0),
      data: []
    )
  }

  package var id: Int { operation.id }

  /// Flag bit 0: a reader that doesn't know it may go on without it.
  package var isOptional: Bool { flags & 1 != 0 }
  /// Flag bit 1: may be skipped for previews.
  package var isSkippedForPreview: Bool { flags & 2 != 0 }
}
