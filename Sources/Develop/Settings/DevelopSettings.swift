package import ColorScience
package import RawModel
package import Recipe

/// The settings of one development, each resolved to a value: the recipe's, the file's or the default.
package struct DevelopSettings: Equatable, Sendable {
  /// Where each value came from, by recipe key.
  let origins: [String: ResolvedSetting.Origin]

  /// EV on top of the baseline.
  package let exposureEV: Double
  /// EV by which the default rendering is brighter than the raw.
  package let baselineExposureEV: Double
  /// Thousandths of the linear range (times ShadowScale) that become black.
  package let shadowBias: Double
  /// 0 (linear) to 1 (the full tone curve).
  package let boostAmount: Double
  /// 0 to 2; below 1 darkens, above 1 lightens the shadows of the tone curve.
  package let boostShadowAmount: Double
  package let isGamutMappingEnabled: Bool
  /// Whether clipped highlights are rebuilt.
  package let isHighlightRecoveryEnabled: Bool
  /// 0 to 1.
  package let luminanceNoiseReductionAmount: Double
  /// 0 to 1.
  package let colorNoiseReductionAmount: Double
  /// 0 to 1.
  package let sharpnessAmount: Double
  /// 0 to 1.
  package let contrastAmount: Double
  /// 0 to 3.
  package let detailAmount: Double
  /// 0 to 1.
  package let moireReductionAmount: Double
  /// 0 to 1.
  package let despeckleAmount: Double
  /// 0 to 1.
  package let localContrastCompress: Double
  /// The chromaticity that is rendered neutral; D50 for monochrome raws, which have none.
  package let white: Chromaticity
  /// Correlated colour temperature of `white`, in kelvin.
  package let neutralTemperature: Double
  /// Distance of `white` from the Planckian locus, positive above it (green).
  package let neutralTint: Double
  /// Whether the recipe bends no value: no curve, no black point, no gamut mapping, no highlight recovery.
  let isLinear: Bool
  /// How a mosaic's colours are reconstructed.
  ///
  /// Unless the recipe says otherwise, a linear recipe is one that measures, and its demosaic is linear in the samples as well: each
  /// channel's mean over an area then depends on that channel's samples alone, as photometry with
  /// colour filter arrays asks for, and not on where Menon's method saw edges in the others.
  package let demosaic: DemosaicMethod
  /// How much of the file's gain table map is applied, 0 to 1; 0 for a file without one.
  package let localToneMapAmount: Double
  /// Headroom above white; 0 as long as there are no outputs with any.
  package let extendedDynamicRangeAmount: Double
  package let decoderVersion: DecoderVersion
  /// The look at the end.
  let look: CubeTable?
  /// The external files of the recipe.
  let profileFile: RecipeFile?
  let lookFile: RecipeFile?
  /// What the recipe asks for or the file's profile has and this development can't do, in words.
  package let unsupported: [String]
  /// Of the whole picture, above 0 to 1.
  package let scaleFactor: Double
  /// Whether the picture is made at half the size, without interpolation.
  package let isDraftModeEnabled: Bool
  package let orientation: Orientation
  /// The recipe's part of the picture as it is seen; nil is the file's user crop.
  package let crop: CropRectangle?
  /// Whether OpcodeList3 corrects the lens.
  package let isLensCorrectionEnabled: Bool
  /// Optional opcodes of the file that are not applied (`OpcodeList3 WarpRectilinear`).
  package let skippedOpcodes: [String]
  /// What is made instead of a picture to be seen; nil for that.
  var linear: LinearLevel?

  /// Resolves a recipe's adjustments for one raw.
  ///
  /// A temperature without a tint keeps the tint as shot, and the other way round, as CIRAWFilter does.
  /// A monochrome raw has no colour to balance, so both stay without effect there.
  ///
  /// - Parameters:
  ///   - adjustments: The recipe's.
  ///   - description: The raw, with an external profile already in the place of its own.
  ///   - pickedWhite: The white of `adjustments.neutralLocation`, which takes the raw's samples to find
  ///     (`NeutralSpot`); without it the location is left out of account.
  /// - Throws: What is wrong with the raw's colour tags or with a value of the recipe.
  package init(
    resolving adjustments: DevelopAdjustments,
    for description: RawDescription,
    pickedWhite: Chromaticity? = nil
  ) throws(DevelopError) {
    var origins: [String: ResolvedSetting.Origin] = [:]
    func resolve(
      _ name: String,
      _ asked: Double?,
      _ range: ClosedRange<Double>,
      else standard: Double,
      _ origin: ResolvedSetting.Origin = .default
    ) throws(DevelopError) -> Double {
      origins[name] = asked == nil ? origin : .recipe
      let value = asked ?? standard
      guard range.contains(value) else {
        throw .settingOutOfRange(
          name: name,
          value: value,
          minimum: range.lowerBound,
          maximum: range.upperBound
        )
      }
      return value
    }
    exposureEV = try resolve("exposure", adjustments.exposure, -10...10, else: 0)
    // A file may say more than a recipe, within reason.
    baselineExposureEV = try resolve(
      "baselineExposure",
      adjustments.baselineExposure,
      -20...20,
      else: description.baselineExposure + description.profile.baselineExposureOffset,
      .file
    )
    shadowBias = try resolve(
      "shadowBias",
      adjustments.shadowBias,
      0...100,
      else: description.profile.isDefaultBlackNone ? 0 : 5,
      description.profile.isDefaultBlackNone ? .file : .default
    )
    guard description.shadowScale.isFinite, (0...9).contains(description.shadowScale) else {
      throw .settingOutOfRange(
        name: "ShadowScale",
        value: description.shadowScale,
        minimum: 0,
        maximum: 9
      )
    }
    boostAmount = try resolve("boostAmount", adjustments.boostAmount, 0...1, else: 1)
    boostShadowAmount = try resolve(
      "boostShadowAmount",
      adjustments.boostShadowAmount,
      0...2,
      else: 1
    )
    origins["isGamutMappingEnabled"] = adjustments.isGamutMappingEnabled == nil ? .default : .recipe
    isGamutMappingEnabled = adjustments.isGamutMappingEnabled ?? true

    origins["isHighlightRecoveryEnabled"] =
      adjustments.isHighlightRecoveryEnabled == nil ? .default : .recipe
    // The first look had none.
    isHighlightRecoveryEnabled =
      adjustments.isHighlightRecoveryEnabled ?? (adjustments.decoderVersion != .one)
    luminanceNoiseReductionAmount = try resolve(
      "luminanceNoiseReductionAmount",
      adjustments.luminanceNoiseReductionAmount,
      0...1,
      else: 0
    )
    colorNoiseReductionAmount = try resolve(
      "colorNoiseReductionAmount",
      adjustments.colorNoiseReductionAmount,
      0...1,
      else: 0
    )
    sharpnessAmount = try resolve("sharpnessAmount", adjustments.sharpnessAmount, 0...1, else: 0)
    contrastAmount = try resolve("contrastAmount", adjustments.contrastAmount, 0...1, else: 0)
    detailAmount = try resolve("detailAmount", adjustments.detailAmount, 0...3, else: 0)
    let moire = try resolve(
      "moireReductionAmount",
      adjustments.moireReductionAmount,
      0...1,
      else: 0
    )
    isLinear =
      boostAmount == 0 && shadowBias == 0 && !isGamutMappingEnabled
      && !isHighlightRecoveryEnabled
    // Both look at filter colours, which demosaiced samples have lost.
    let isMosaic = description.layout.isMosaic
    decoderVersion = adjustments.decoderVersion ?? .newest
    origins["decoderVersion"] = adjustments.decoderVersion == nil ? .default : .recipe
    // What measures, and the first look, leave samples alone.
    let isCleaned = isMosaic && !isLinear && decoderVersion != .one
    let despeckle = try resolve(
      "despeckleAmount",
      adjustments.despeckleAmount,
      0...1,
      else: isCleaned ? NoiseModel(description).bounded.strength : 0,
      isCleaned ? .file : .default
    )
    localContrastCompress = try resolve(
      "extra.localContrastCompress",
      adjustments.localContrastCompress,
      0...1,
      else: 0
    )
    moireReductionAmount = isMosaic ? moire : 0
    despeckleAmount = isMosaic ? despeckle : 0
    let asksForProfile = decoderVersion != .one
    var unsupported: [String] = []
    let hasGainTableMap = description.effectiveGainTableMap != nil
    let localToneMap = try resolve(
      "localToneMapAmount",
      adjustments.localToneMapAmount,
      0...1,
      else: hasGainTableMap && asksForProfile ? 1 : 0,
      .file
    )
    if hasGainTableMap {
      localToneMapAmount = localToneMap
    } else {
      localToneMapAmount = 0
      if localToneMap > 0 {
        unsupported.append("localToneMapAmount: the file has no ProfileGainTableMap")
        origins["localToneMapAmount"] = .file
      }
    }
    if asksForProfile { unsupported += description.profile.unsupported }
    extendedDynamicRangeAmount = try resolve(
      "extendedDynamicRangeAmount",
      adjustments.extendedDynamicRangeAmount,
      0...0,
      else: 0
    )
    profileFile = adjustments.profile
    lookFile = adjustments.lut
    for name in ["extra.profile", "extra.lut"] { origins[name] = .recipe }
    if let file = adjustments.lut { look = try CubeTable(lookOf: file) } else { look = nil }
    if moire > 0 && !isMosaic { unsupported.append("moireReductionAmount: the raw is no mosaic") }
    if despeckle > 0 && !isMosaic { unsupported.append("despeckleAmount: the raw is no mosaic") }
    if colorNoiseReductionAmount > 0 && description.layout == .linear(planes: 1) {
      unsupported.append("colorNoiseReductionAmount: the raw is monochrome")
    }
    self.unsupported = unsupported

    var asShot = try Self.asShotWhite(description)
    if let point = adjustments.neutralChromaticity {
      asShot = (Chromaticity(x: point.x, y: point.y), .recipe)
      guard asShot.white.isPlausible else { throw .neutralUnusable(tag: "neutralChromaticity") }
    } else if let pickedWhite {
      asShot = (pickedWhite, .recipe)
    }
    if description.layout == .linear(planes: 1) { asShot = (.d50, .default) }
    let temperature = ColorTemperature(asShot.white)
    // As shot may lie beyond what a recipe may ask for.
    neutralTemperature = try resolve(
      "neutralTemperature",
      adjustments.neutralTemperature,
      adjustments.neutralTemperature == nil ? 1...1e7 : ColorTemperature.kelvinRange,
      else: temperature.kelvin,
      asShot.origin
    )
    neutralTint = try resolve(
      "neutralTint",
      adjustments.neutralTint,
      adjustments.neutralTint == nil ? -1e4...1e4 : ColorTemperature.tintRange,
      else: temperature.tint,
      asShot.origin
    )
    origins["neutralChromaticity"] = asShot.origin
    let isAsked = adjustments.neutralTemperature != nil || adjustments.neutralTint != nil
    if isAsked && description.layout != .linear(planes: 1) {
      let white = ColorTemperature(kelvin: neutralTemperature, tint: neutralTint).chromaticity
      guard white.isPlausible else { throw .neutralUnusable(tag: "neutralTint") }
      origins["neutralChromaticity"] = .recipe
      self.white = white
    } else {
      white = asShot.white
    }
    origins["extra.demosaic"] = adjustments.demosaic == nil ? .default : .recipe
    demosaic = adjustments.demosaic ?? (isLinear ? .bilinear : .menon)
    scaleFactor = try resolve("scaleFactor", adjustments.scaleFactor, 0.001...1, else: 1)
    isDraftModeEnabled = adjustments.isDraftModeEnabled ?? false
    origins["isDraftModeEnabled"] = adjustments.isDraftModeEnabled == nil ? .default : .recipe
    orientation =
      adjustments.orientation.flatMap { Orientation(rawValue: $0) } ?? description.orientation
    origins["orientation"] = adjustments.orientation == nil ? .file : .recipe
    if let crop = adjustments.crop {
      for (name, low, high) in [
        ("extra.crop.right", crop.left, crop.right), ("extra.crop.bottom", crop.top, crop.bottom),
      ] where !(high > low) {
        throw .settingOutOfRange(name: name, value: high, minimum: low, maximum: 1)
      }
    }
    crop = adjustments.crop
    origins["extra.crop"] = adjustments.crop == nil ? .file : .recipe
    // The first look had none.
    isLensCorrectionEnabled =
      adjustments.isLensCorrectionEnabled ?? (adjustments.decoderVersion != .one)
    origins["isLensCorrectionEnabled"] =
      adjustments.isLensCorrectionEnabled == nil ? .default : .recipe
    skippedOpcodes = OpcodeStages.skippedOpcodes(
      description,
      policy: OpcodeStages.Policy(
        isLensCorrectionEnabled: isLensCorrectionEnabled,
        isDraft: isDraftModeEnabled
      )
    )
    self.origins = origins.reduce(into: [:]) { result, element in
      let layer = adjustments.origins[element.key]
      result[element.key] = element.value == .recipe ? .init(layer) : element.value
    }
  }

  private static func asShotWhite(
    _ description: RawDescription
  ) throws(DevelopError) -> (white: Chromaticity, origin: ResolvedSetting.Origin) {
    guard description.layout != .linear(planes: 1) else { return (.d50, .default) }
    let model = try CameraColorModel(description.color)
    let white = try model.asShotWhite(description.color)
    return (white, description.color.asShotWhite == .unknown ? .default : .file)
  }
}
