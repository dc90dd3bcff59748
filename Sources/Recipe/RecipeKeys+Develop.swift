internal import JSON

/// The tables of keys, one for each mapping of a recipe.
enum RecipeKeys {}

extension RecipeKeys {
  /// `develop`: the properties of CIRAWFilter, in the order of its documentation.
  static let develop: [RecipeKey<DevelopAdjustments>] = [
    RecipeKey(
      entry: RecipeKeyEntry(
        name: presetPath,
        summary: "Settings that have a name; keys beside it win.",
        shape: .choice(DevelopPreset.allCases.map { .string($0.rawValue) }, later: []),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { $0.preset = $1.stringValue.flatMap { DevelopPreset(rawValue: $0) } },
      read: { $0.preset.map { .string($0.rawValue) } }
    ),
    .number(
      "exposure",
      -10...10,
      unit: "EV",
      default: 0,
      \.exposure,
      "Exposure, added to the baseline exposure; -1 halves the light."
    ),
    .number(
      "baselineExposure",
      -10...10,
      unit: "EV",
      \.baselineExposure,
      "Replaces the file's baseline exposure; 0 gives a linear response."
    ),
    .number(
      "shadowBias",
      0...100,
      \.shadowBias,
      "Subtracted from the shadows, in thousandths of the linear range."
    ),
    .number(
      "boostAmount",
      0...1,
      default: 1,
      \.boostAmount,
      "How much of the global tone curve is applied; 0 is linear."
    ),
    .number(
      "boostShadowAmount",
      0...2,
      default: 1,
      \.boostShadowAmount,
      "Darkens (below 1) or lightens the shadows of the tone curve; nothing where boostAmount is 0."
    ),
    .boolean(
      "isGamutMappingEnabled",
      default: true,
      \.isGamutMappingEnabled,
      "Maps colours outside the output's space into it; if false, channels are clipped."
    ),
    .boolean(
      "isHighlightRecoveryEnabled",
      default: true,
      \.isHighlightRecoveryEnabled,
      "Rebuilds clipped highlights from the channels that are not clipped."
    ),
    .boolean(
      "isLensCorrectionEnabled",
      default: true,
      \.isLensCorrectionEnabled,
      "Corrects distortion, colour fringes and vignetting of the lens as the file says."
    ),
    .number(
      "luminanceNoiseReductionAmount",
      0...1,
      default: 0,
      \.luminanceNoiseReductionAmount,
      "Noise reduction of luminance, by the file's noise profile."
    ),
    .number(
      "colorNoiseReductionAmount",
      0...1,
      default: 0,
      \.colorNoiseReductionAmount,
      "Noise reduction of colour, by the file's noise profile."
    ),
    .number(
      "sharpnessAmount",
      0...1,
      default: 0,
      \.sharpnessAmount,
      "Sharpening of edges."
    ),
    .number(
      "contrastAmount",
      0...1,
      default: 0,
      \.contrastAmount,
      "Local contrast at edges."
    ),
    .number(
      "detailAmount",
      0...3,
      default: 0,
      \.detailAmount,
      "Enhancement of fine detail."
    ),
    .number(
      "moireReductionAmount",
      0...1,
      default: 0,
      \.moireReductionAmount,
      "Takes false colour out of fine patterns; of mosaics only."
    ),
    .number(
      "despeckleAmount",
      0...1,
      \.despeckleAmount,
      "Removes single bright or dark photosites; of mosaics only. If absent, in the measure of the noise."
    ),
    .number(
      "localToneMapAmount",
      0...1,
      \.localToneMapAmount,
      "How much of the file's local tone map (ProfileGainTableMap) is applied."
    ),
    .number(
      "extendedDynamicRangeAmount",
      0...2,
      default: 0,
      \.extendedDynamicRangeAmount,
      "Headroom above white in HDR outputs; there are none yet, so only 0 is accepted."
    ),
    point(
      "neutralChromaticity",
      .init(limits: 0...1, unit: nil),
      excludes: ["neutralLocation", "neutralTemperature", "neutralTint"],
      \.neutralChromaticity,
      "White balance by the xy chromaticity of what is neutral."
    ),
    point(
      "neutralLocation",
      .init(limits: 0...1_048_576, unit: "pixels"),
      excludes: ["neutralTemperature", "neutralTint"],
      \.neutralLocation,
      "White balance by a neutral place: pixels of the whole turned picture from its top-left one."
    ),
    .number(
      "neutralTemperature",
      2_000...50_000,
      unit: "K",
      \.neutralTemperature,
      "White balance: the temperature of what is neutral; as shot if absent."
    ),
    .number(
      "neutralTint",
      -150...150,
      \.neutralTint,
      "White balance: the tint of what is neutral, green to magenta; as shot if absent."
    ),
    .number(
      "scaleFactor",
      0.001...1,
      default: 1,
      \.scaleFactor,
      "Scale of the whole picture, in linear light; up to 0.5 nothing is interpolated between photosites."
    ),
    .boolean(
      "isDraftModeEnabled",
      default: false,
      \.isDraftModeEnabled,
      "Faster: half the size, without interpolation and without what the file lets previews skip."
    ),
    orientation,
    RecipeKey(
      entry: RecipeKeyEntry(
        name: "decoderVersion",
        summary:
          "The version of the look: 2 is the DNG rendering model, 1 the look before it (no profile tables, local tone map, highlight recovery or lens correction).",
        shape: .choice(DecoderVersion.allCases.reversed().map { .init($0.rawValue) }, later: []),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { adjustments, value in
        adjustments.decoderVersion =
          value.integerValue.flatMap { Int(exactly: $0) }.flatMap { DecoderVersion(rawValue: $0) }
      },
      read: { $0.decoderVersion.map { .init($0.rawValue) } }
    ),
    later("linearSpaceFilter", .later("a filter"), "A filter over the linear picture."),
    .mapping("extra", extra, "What goes beyond CIRAWFilter."),
  ]

  /// `develop.extra`.
  static let extra: [RecipeKey<DevelopAdjustments>] = [
    RecipeKey(
      entry: RecipeKeyEntry(
        name: "demosaic",
        summary:
          "How a mosaic's colours are reconstructed: menon for pictures, in roots of light but in a linear recipe, bilinear for measuring areas; absent: bilinear in a linear recipe, else menon.",
        shape: .choice(DemosaicMethod.allCases.map { .string($0.rawValue) }, later: []),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { $0.demosaic = $1.stringValue.flatMap { DemosaicMethod(rawValue: $0) } },
      read: { $0.demosaic.map { .string($0.rawValue) } }
    ),
    .number(
      "localContrastCompress",
      0...1,
      default: 0,
      \.localContrastCompress,
      "Draws large bright and dark parts together and keeps their detail; for files without a gain table."
    ),
    crop,
    file(
      "profile",
      .profile,
      \.profile,
      "A camera profile (.dcp) in place of the file's own."
    ),
    file(
      "lut",
      .lut,
      \.lut,
      "A look (.cube) at the end, on Display P3 colours with the sRGB curve."
    ),
  ]

  private static func point(
    _ name: String,
    _ rule: RecipePointRule,
    excludes: [String],
    _ path: any WritableKeyPath<DevelopAdjustments, RecipePoint?> & Sendable,
    _ summary: String
  ) -> RecipeKey<DevelopAdjustments> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .point(rule),
        defaultValue: nil,
        availability: .supported,
        excludes: excludes
      ),
      assign: { adjustments, value in
        let (x, y) = (value["x"]?.doubleValue, value["y"]?.doubleValue)
        adjustments[keyPath: path] = x.flatMap { x in y.map { RecipePoint(x: x, y: $0) } }
      },
      read: { $0[keyPath: path].map { ["x": .init($0.x), "y": .init($0.y)] } }
    )
  }

  private static func file(
    _ name: String,
    _ role: RecipeFile.Role,
    _ path: any WritableKeyPath<DevelopAdjustments, RecipeFile?> & Sendable,
    _ summary: String
  ) -> RecipeKey<DevelopAdjustments> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .file(role),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { $0[keyPath: path] = RecipeFile(json: $1) },
      read: { $0[keyPath: path]?.json }
    )
  }

  private static func laterSwitch(
    _ name: String,
    default: JSONValue? = nil,
    _ summary: String
  ) -> RecipeKey<DevelopAdjustments> {
    later(name, .boolean, off: false, default: `default`, summary)
  }

  /// A key without a stage: remembers only that it was switched off.
  private static func later(
    _ name: String,
    _ shape: RecipeValueShape,
    off: JSONValue? = nil,
    default: JSONValue? = nil,
    excludes: [String] = [],
    _ summary: String
  ) -> RecipeKey<DevelopAdjustments> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: shape,
        defaultValue: `default`,
        availability: .later(off: off),
        excludes: excludes
      ),
      assign: { adjustments, value in
        if value == .null {
          adjustments.switchedOff.remove(name)
        } else if value != `default` {
          adjustments.switchedOff.insert(name)
        }
      },
      read: { $0.switchedOff.contains(name) ? off : nil }
    )
  }
}
