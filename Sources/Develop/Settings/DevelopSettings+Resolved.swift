internal import JSON

extension DevelopSettings {
  /// Every setting by its recipe key, with its value and origin, in the recipe's order.
  package var resolved: [ResolvedSetting] {
    let values: [(String, JSONValue)] = [
      ("exposure", .number(exposureEV)),
      ("baselineExposure", .number(baselineExposureEV)),
      ("shadowBias", .number(shadowBias)),
      ("boostAmount", .number(boostAmount)),
      ("boostShadowAmount", .number(boostShadowAmount)),
      ("isGamutMappingEnabled", .bool(isGamutMappingEnabled)),
      ("neutralTemperature", .number(neutralTemperature)),
      ("neutralTint", .number(neutralTint)),
    ]
    return values.map { name, value in
      ResolvedSetting(name: name, value: value, origin: origins[name] ?? .default)
    }
  }
}
