internal import RawModel

/// The stages of the opcode lists.
///
/// DNG 1.7.1 chapter 7. An opcode that is optional and not supported is left out and reported, any other
/// that is not supported is refused.
enum OpcodeStages {
  /// The stages of one list, in the file's order.
  ///
  /// - Throws: `opcodeUnsupported`, or what is wrong with an opcode.
  static func stages(
    list: Int,
    _ context: StageContext
  ) throws(DevelopError) -> [PlannedStage] {
    var stages: [PlannedStage] = []
    for opcode in context.description.opcodes(list: list) {
      switch (list, opcode.operation) {
      case (2, .gainMap(let map)):
        stages.append(.line(try GainMapStage(map, list: list, context)))
      case (_, let operation):
        guard opcode.isOptional else {
          throw .opcodeUnsupported(list: list, id: operation.id, name: operation.name)
        }
      }
    }
    return stages
  }

  /// The optional opcodes that are not applied, for the report: `OpcodeList3 WarpRectilinear`.
  static func skippedOpcodes(_ description: RawDescription) -> [String] {
    (1...3).flatMap { list in
      description.opcodes(list: list).compactMap { opcode in
        switch (list, opcode.operation) {
        case (2, .gainMap): nil
        case (_, let operation): "OpcodeList\(list) \(operation.name)"
        }
      }
    }
  }
}

extension RawDescription {
  /// One of the opcode lists, 1 to 3.
  func opcodes(list: Int) -> [Opcode] {
    switch list {
    case 1: opcodeList1
    case 2: opcodeList2
    default: opcodeList3
    }
  }
}
