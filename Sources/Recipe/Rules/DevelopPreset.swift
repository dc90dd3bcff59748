internal import JSON

/// Settings that go together and have a name: `develop: {preset: linearScene}`.
///
/// Keys that stand beside it win.
package enum DevelopPreset: String, CaseIterable, Sendable {
  /// Scene-linear colours: what Apple's session "Capture and process ProRAW images" (WWDC 2021, 10160)
  /// sets for them, and no more; white balance, noise reduction, sharpening and lens correction stay.
  case linearScene
  /// What the sensor saw: nothing is applied but the white balance and the colour matrices.
  case sensor

  /// The settings by the path of their key.
  var values: [(path: String, value: JSONValue)] {
    let linear: [(path: String, value: JSONValue)] = [
      ("baselineExposure", 0), ("shadowBias", 0), ("boostAmount", 0), ("localToneMapAmount", 0),
      ("isGamutMappingEnabled", false),
    ]
    switch self {
    case .linearScene: return linear
    case .sensor:
      return linear + [
        ("exposure", 0), ("isHighlightRecoveryEnabled", false), ("isLensCorrectionEnabled", false),
        ("luminanceNoiseReductionAmount", 0), ("colorNoiseReductionAmount", 0),
        ("sharpnessAmount", 0), ("contrastAmount", 0), ("detailAmount", 0),
        ("moireReductionAmount", 0), ("despeckleAmount", 0), ("extendedDynamicRangeAmount", 0),
        ("extra.demosaic", "bilinear"), ("extra.localContrastCompress", 0),
      ]
    }
  }

  /// The settings alone.
  var adjustments: DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    for (path, value) in values { RecipeKeys.developKey(path)?.assign(&adjustments, value) }
    return adjustments
  }
}
