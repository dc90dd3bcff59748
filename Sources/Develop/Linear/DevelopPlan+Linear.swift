internal import RawModel

extension DevelopPlan {
  /// The stages of a linear picture, in their order; like `stages(_:)` up to the working colours.
  static func linearStages(
    _ context: StageContext,
    _ level: LinearLevel
  ) throws(DevelopError) -> [PlannedStage] {
    var list = StageList()
    guard !level.isCodes else { return [] }
    list.append(try OpcodeStages.stages(list: 1, context))
    list.append(try OpcodeStages.stages(list: 2, context))
    guard case .scene(let space) = level else {
      guard level.layout == .demosaiced else { return list.stages }
      list.appendScale(context)
      if case .samples(isBalanced: false, _) = level { list.append(UnbalanceStage(context)) }
      return list.stages
    }
    list.append(DespeckleStage(context))
    list.append(HighlightMosaicStage(context))
    list.append(HighlightPixelStage(context))
    list.append(MoireReductionStage(context))
    list.append(try NoiseReductionStage(context))
    list.append(try OpcodeStages.stages(list: 3, context))
    list.appendScale(context)
    list.append(try SceneColorStage(context, space: space))
    return list.stages
  }
}
