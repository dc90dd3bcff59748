internal import JSON
internal import Recipe

extension DevelopSettings {
  /// Every setting by its recipe key, with its value and origin, in the recipe's order; then, as
  /// `skippedOpcodes`, the optional opcodes that were left out, where there are any.
  package var resolved: [ResolvedSetting] {
    var values: [(String, JSONValue)] = [
      ("exposure", .number(exposureEV)),
      ("baselineExposure", .number(baselineExposureEV)),
      ("shadowBias", .number(shadowBias)),
      ("boostAmount", .number(boostAmount)),
      ("boostShadowAmount", .number(boostShadowAmount)),
      ("isGamutMappingEnabled", .bool(isGamutMappingEnabled)),
      ("neutralTemperature", .number(neutralTemperature)),
      ("neutralTint", .number(neutralTint)),
      ("extra.demosaic", .string(demosaic.rawValue)),
    ]
    if !skippedOpcodes.isEmpty {
      values.append(("skippedOpcodes", .array(skippedOpcodes.map { .string($0) })))
    }
    return values.map { name, value in
      ResolvedSetting(name: name, value: value, origin: origins[name] ?? .file)
    }
  }
}
