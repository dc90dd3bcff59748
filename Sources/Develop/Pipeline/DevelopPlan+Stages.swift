internal import RawModel

extension DevelopPlan {
  /// The one list: every stage of a development in its order.
  ///
  /// Linearisation comes before the line stages, white balance after them, the demosaic before the first
  /// pixel or region stage, the encoding after the last: these belong to the kernels.
  static func stages(_ context: StageContext) throws(DevelopError) -> [PlannedStage] {
    if let level = context.settings.linear { return try linearStages(context, level) }
    var list = StageList()
    // Stored samples.
    list.append(try OpcodeStages.stages(list: 1, context))
    // Linear samples, 1 being white; not balanced.
    list.append(try OpcodeStages.stages(list: 2, context))
    list.append(DespeckleStage(context))
    list.append(HighlightMosaicStage(context))
    // Balanced camera colours.
    list.append(HighlightPixelStage(context))
    list.append(MoireReductionStage(context))
    list.append(try NoiseReductionStage(context))
    list.append(LocalContrastStage(context))
    list.append(try OpcodeStages.stages(list: 3, context))
    list.appendScale(context)
    let hueSatMap = try HueSatMapStage(context)
    let gainTableMap = try ProfileGainTableMapStage(context)
    let isExposed = hueSatMap == nil && gainTableMap == nil
    list.append(try WorkingColorStage(context, isExposed: isExposed))
    // Linear RIMM.
    list.append(hueSatMap)
    list.append(gainTableMap)
    if !isExposed { list.append(ExposureStage(context)) }
    // Linear RIMM, exposed.
    list.append(BlackPointStage(context))
    list.append(try LookTableStage(context))
    list.append(try ToneStage(context))
    list.append(try RGBTablesStage(context))
    // Linear RIMM, toned.
    list.append(try LocalDetailStage(context, after: list.stages))
    list.append(OutputColorStage())
    // Linear Display P3.
    list.append(GamutMapStage(context))
    list.append(try CubeLookStage(context))
    return list.stages
  }
}

/// Stages as they are listed; what is nil has nothing to do and is left out.
struct StageList {
  private(set) var stages: [PlannedStage] = []

  mutating func appendScale(_ context: StageContext) {
    if context.geometry.isScaled { stages.append(.scale) }
  }

  mutating func append(_ stages: [PlannedStage]) { self.stages += stages }
  mutating func append(_ stage: (some FrameStage)?) {
    if let stage { stages.append(.frame(stage)) }
  }
  mutating func append(_ stage: (some LineStage)?) { if let stage { stages.append(.line(stage)) } }
  mutating func append(_ stage: (some MosaicStage)?) {
    if let stage { stages.append(.mosaic(stage)) }
  }
  mutating func append(_ stage: (some PixelStage)?) {
    if let stage { stages.append(.pixel(stage)) }
  }
  mutating func append(_ stage: (some RegionStage)?) {
    if let stage { stages.append(.region(stage)) }
  }
}
