internal import Raster
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
      guard isSupported(opcode.operation, list: list, context.description.layout) else {
        guard opcode.isOptional else {
          throw .opcodeUnsupported(list: list, id: opcode.id, name: opcode.operation.name)
        }
        continue
      }
      if let stage = try stage(opcode.operation, list: list, context) { stages.append(stage) }
    }
    // The range of list 2 holds for the whole image after each opcode: what lies within it after the first
    // stays there.
    if list == 2, !stages.isEmpty { stages.insert(.line(RangeClipStage()), at: 1) }
    return stages
  }

  /// The stage of one supported opcode; nil where it changes nothing.
  private static func stage(
    _ operation: Opcode.Operation,
    list: Int,
    _ context: StageContext
  ) throws(DevelopError) -> PlannedStage? {
    switch operation {
    case .fixBadPixelsConstant(let opcode): return .frame(FrameBadPixelsStage(opcode))
    case .fixBadPixelsList(let opcode):
      let size = imageSize(list: list, context)
      return list == 1
        ? FrameBadPixelsStage(opcode, size: size).map { .frame($0) }
        : try MosaicBadPixelsStage(opcode, size: size).map { .mosaic($0) }
    case .mapTable(let map): return planned(MapTableOpcode(map), list, context)
    case .mapPolynomial(let map): return planned(MapPolynomialOpcode(map), list, context)
    case .gainMap(let map): return planned(try GainMapStage(map, list: list, context), list)
    case .deltaPerRow(let lines):
      return planned(try LineValuesOpcode<DeltaPerRow>(lines, list: list), list, context)
    case .deltaPerColumn(let lines):
      return planned(try LineValuesOpcode<DeltaPerColumn>(lines, list: list), list, context)
    case .scalePerRow(let lines):
      return planned(try LineValuesOpcode<ScalePerRow>(lines, list: list), list, context)
    case .scalePerColumn(let lines):
      return planned(try LineValuesOpcode<ScalePerColumn>(lines, list: list), list, context)
    default: return nil
    }
  }

  private static func planned(
    _ opcode: some PointOpcode,
    _ list: Int,
    _ context: StageContext
  ) -> PlannedStage {
    planned(PointOpcodeStage(opcode, list: list, context), list)
  }

  private static func planned(
    _ stage: some FrameStage & LineStage & PixelStage,
    _ list: Int
  ) -> PlannedStage {
    switch list {
    case 1: .frame(stage)
    case 2: .line(stage)
    default: .pixel(stage)
    }
  }

  /// Whether an opcode is applied in a list.
  ///
  /// The opcodes on bad pixels are for mosaics alone, as the specification says, and a constant marks them
  /// in stored samples alone.
  private static func isSupported(
    _ operation: Opcode.Operation,
    list: Int,
    _ layout: SampleLayout
  ) -> Bool {
    let isMosaic = if case .mosaic = layout { true } else { false }
    return switch operation {
    case .fixBadPixelsConstant: isMosaic && list == 1
    case .fixBadPixelsList: isMosaic && list <= 2
    case .mapTable, .mapPolynomial, .gainMap, .deltaPerRow, .deltaPerColumn, .scalePerRow,
      .scalePerColumn:
      true
    default: false
    }
  }

  /// The optional opcodes that are not applied, for the report: `OpcodeList3 WarpRectilinear`.
  static func skippedOpcodes(_ description: RawDescription) -> [String] {
    (1...3).flatMap { list in
      description.opcodes(list: list).compactMap { opcode in
        isSupported(opcode.operation, list: list, description.layout)
          ? nil : "OpcodeList\(list) \(opcode.operation.name)"
      }
    }
  }

  /// The size of the image that a list works on: the stored frame, or the active area.
  static func imageSize(list: Int, _ context: StageContext) -> PixelSize {
    list == 1 ? context.description.size : context.geometry.activeArea.size
  }

  /// The top of the range of camera colours in list 3.
  ///
  /// Highlights that were rebuilt above it are clipped.
  static let colorLimit: Float = 1
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
