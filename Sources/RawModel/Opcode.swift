/// One entry of an opcode list (OpcodeList1-3, 51008, 51009, 51022).
package struct Opcode: Equatable, Sendable {
  /// What it does, as far as it is known.
  package enum Operation: Equatable, Sendable {
    case gainMap(GainMap)
    /// An opcode that is not applied: its number and the specification's name where it has one.
    case other(id: Int, name: String)
  }

  package var operation: Operation
  /// Flag bit 0: a reader that doesn't know it may go on without it.
  package var isOptional: Bool
  /// Flag bit 1: may be skipped for previews.
  package var isSkippedForPreview: Bool

  package init(operation: Operation, isOptional: Bool, isSkippedForPreview: Bool) {
    self.operation = operation
    self.isOptional = isOptional
    self.isSkippedForPreview = isSkippedForPreview
  }
}
