internal import ColorScience
internal import JSON
internal import RawModel
internal import Recipe

extension DevelopSettings {
  /// Every setting by its recipe key, with its value and origin, in the recipe's order; then, as
  /// `unsupported` what of the recipe this raw cannot follow and as `skippedOpcodes` the optional
  /// opcodes that were left out, where there are any.
  package var resolved: [ResolvedSetting] {
    var values: [(String, JSONValue)] = [
      ("exposure", .number(exposureEV)),
      ("baselineExposure", .number(baselineExposureEV)),
      ("shadowBias", .number(shadowBias)),
      ("boostAmount", .number(boostAmount)),
      ("boostShadowAmount", .number(boostShadowAmount)),
      ("isGamutMappingEnabled", .bool(isGamutMappingEnabled)),
      ("isHighlightRecoveryEnabled", .bool(isHighlightRecoveryEnabled)),
      ("isLensCorrectionEnabled", .bool(isLensCorrectionEnabled)),
      ("luminanceNoiseReductionAmount", .number(luminanceNoiseReductionAmount)),
      ("colorNoiseReductionAmount", .number(colorNoiseReductionAmount)),
      ("sharpnessAmount", .number(sharpnessAmount)),
      ("contrastAmount", .number(contrastAmount)),
      ("detailAmount", .number(detailAmount)),
      ("moireReductionAmount", .number(moireReductionAmount)),
      ("despeckleAmount", .number(despeckleAmount)),
      ("localToneMapAmount", .number(localToneMapAmount)),
      ("extendedDynamicRangeAmount", .number(extendedDynamicRangeAmount)),
      ("neutralChromaticity", ["x": .number(white.x), "y": .number(white.y)]),
      ("neutralTemperature", .number(neutralTemperature)),
      ("neutralTint", .number(neutralTint)),
      ("scaleFactor", .number(scaleFactor)),
      ("isDraftModeEnabled", .bool(isDraftModeEnabled)),
      ("orientation", .init(orientation.rawValue)),
      ("decoderVersion", .init(decoderVersion.rawValue)),
      ("extra.demosaic", .string(demosaic.rawValue)),
      ("extra.localContrastCompress", .number(localContrastCompress)),
    ]
    for (name, file) in [("extra.profile", profileFile), ("extra.lut", lookFile)] {
      guard let file else { continue }
      values.append(
        (name, ["name": .string(file.name), "sha256": .string(file.sha256 ?? "")])
      )
    }
    if !unsupported.isEmpty {
      values.append(("unsupported", .array(unsupported.map { .string($0) })))
    }
    if let crop {
      values.append(("extra.crop", crop.json))
    }
    if !skippedOpcodes.isEmpty {
      values.append(("skippedOpcodes", .array(skippedOpcodes.map { .string($0) })))
    }
    return values.map { name, value in
      ResolvedSetting(name: name, value: value, origin: origins[name] ?? .file)
    }
  }
}
