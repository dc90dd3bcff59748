internal import Raster
internal import RawModel

/// The stages of the opcode lists.
///
/// DNG 1.7.1 chapter 7. An opcode that is optional and not supported is left out and reported, any other
/// that is not supported is refused.
enum OpcodeStages {
  /// What a development leaves out on purpose.
  struct Policy: Equatable {
    /// Whether list 3 corrects the lens.
    var isLensCorrectionEnabled = true
    /// Whether opcodes that previews may skip are left out.
    var isDraft = false
  }

  /// The stages of one list, in the file's order.
  ///
  /// - Throws: `opcodeUnsupported`, or what is wrong with an opcode.
  static func stages(
    list: Int,
    _ context: StageContext
  ) throws(DevelopError) -> [PlannedStage] {
    var stages: [PlannedStage] = []
    // TrimBounds makes the image smaller for the opcodes that follow it.
    var bounds = Region(size: context.geometry.activeArea.size)
    for (opcode, fate) in fates(
      list: list,
      context.description,
      policy: context.settings.opcodePolicy
    ) {
      switch fate {
      case .applied: break
      case .leftOut: continue
      case .unsupported:
        guard opcode.isOptional else {
          throw .opcodeUnsupported(list: list, id: opcode.id, name: opcode.operation.name)
        }
        continue
      }
      if case .trimBounds(let region) = opcode.operation {
        bounds = try trimmed(bounds, to: region)
        continue
      }
      if let stage = try stage(
        opcode.operation,
        list: list,
        bounds: bounds,
        context
      ) {
        stages.append(stage)
      }
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
    bounds: Region,
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
    case .fixVignetteRadial(let vignette):
      return planned(
        try VignetteStage(vignette, list: list, bounds: bounds, context),
        list
      )
    case .warpRectilinear(let warp): return .warp(try ResolvedWarp(warp, bounds: bounds))
    case .warpFisheye(let warp): return .warp(try ResolvedWarp(warp, bounds: bounds))
    case .warpRectilinear2(let warp): return .warp(try ResolvedWarp(warp, bounds: bounds))
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

  private static func planned(_ stage: VignetteStage, _ list: Int) -> PlannedStage {
    list == 2 ? .line(stage) : .pixel(stage)
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

  /// What becomes of an opcode.
  enum Fate {
    case applied
    /// On purpose.
    case leftOut
    case unsupported
  }

  /// The opcodes of a list and what becomes of each.
  static func fates(
    list: Int,
    _ description: RawDescription,
    policy: Policy
  ) -> [(Opcode, Fate)] {
    var result: [(Opcode, Fate)] = []
    var isTrimmed = false
    var previous: Opcode?
    for opcode in description.opcodes(list: list) {
      var fate = Fate.applied
      if isLeftOut(opcode, list: list, after: previous, policy: policy) {
        fate = .leftOut
      } else if !isSupported(opcode.operation, list: list, description.layout)
        || isTrimmed && !opcode.operation.isKnownWhenTrimmed
      {
        fate = .unsupported
      }
      if case (.trimBounds(let region), .applied) = (opcode.operation, fate),
        region != Region(size: description.activeArea.size)
      {
        isTrimmed = true
      }
      result.append((opcode, fate))
      previous = opcode
    }
    return result
  }

  /// Whether an opcode is left out on purpose.
  private static func isLeftOut(
    _ opcode: Opcode,
    list: Int,
    after previous: Opcode?,
    policy: Policy
  ) -> Bool {
    if policy.isDraft && opcode.isSkippedForPreview { return true }
    switch opcode.operation {
    case .warpRectilinear, .warpFisheye:
      // A writer puts an older warp behind an optional newer one, for readers that don't know that.
      if case .warpRectilinear2? = previous?.operation, previous?.isOptional == true { return true }
      return list == 3 && !policy.isLensCorrectionEnabled
    case .warpRectilinear2, .fixVignetteRadial, .gainMap:
      return list == 3 && !policy.isLensCorrectionEnabled
    default:
      return false
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
    let isMosaic = layout.isMosaic
    return switch operation {
    case .fixBadPixelsConstant: isMosaic && list == 1
    case .fixBadPixelsList: isMosaic && list <= 2
    case .fixVignetteRadial: list >= 2
    case .warpRectilinear, .warpFisheye, .warpRectilinear2, .trimBounds: list == 3
    case .mapTable, .mapPolynomial, .gainMap, .deltaPerRow, .deltaPerColumn, .scalePerRow,
      .scalePerColumn:
      true
    default: false
    }
  }

  /// The opcodes that are not applied, for the report: `OpcodeList3 WarpRectilinear`.
  static func skippedOpcodes(_ description: RawDescription, policy: Policy) -> [String] {
    (1...3).flatMap { list in
      fates(list: list, description, policy: policy).compactMap { opcode, fate in
        fate == .applied ? nil : "OpcodeList\(list) \(opcode.operation.name)"
      }
    }
  }

  /// The size of the image that a list works on: the stored frame, or the active area.
  static func imageSize(list: Int, _ context: StageContext) -> PixelSize {
    list == 1 ? context.description.size : context.geometry.activeArea.size
  }

  /// The top of the range of camera colours in list 3: white, unless highlights above it were rebuilt.
  static func colorLimit(_ context: StageContext) -> Float {
    context.settings.isHighlightRecoveryEnabled ? .greatestFiniteMagnitude : 1
  }

  /// What the TrimBounds of list 3 leave of the active area; nil for all of it.
  ///
  /// - Throws: `opcodeUnusable`.
  static func bounds(
    _ description: RawDescription,
    policy: Policy
  ) throws(DevelopError) -> Region? {
    var bounds: Region?
    for (opcode, fate) in fates(list: 3, description, policy: policy) {
      guard case (.trimBounds(let region), .applied) = (opcode.operation, fate) else { continue }
      bounds = try trimmed(bounds ?? Region(size: description.activeArea.size), to: region)
    }
    return bounds
  }

  private static func trimmed(_ bounds: Region, to region: Region) throws(DevelopError) -> Region {
    let limits = 0...PictureGeometry.sideLimit
    guard
      limits.contains(region.left), limits.contains(region.top), region.width > 0,
      region.height > 0, region.width <= bounds.width - region.left,
      region.height <= bounds.height - region.top
    else {
      throw .opcodeUnusable(
        list: 3,
        name: "TrimBounds",
        reason: "leaves \(region) of an image of \(bounds.size)"
      )
    }
    return Region(
      left: bounds.left + region.left,
      top: bounds.top + region.top,
      width: region.width,
      height: region.height
    )
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

extension Opcode.Operation {
  /// Whether it trims further or counts from an optical centre, which is known in a trimmed image too.
  fileprivate var isKnownWhenTrimmed: Bool {
    switch self {
    case .warpRectilinear, .warpFisheye, .warpRectilinear2, .fixVignetteRadial, .trimBounds: true
    default: false
    }
  }
}
