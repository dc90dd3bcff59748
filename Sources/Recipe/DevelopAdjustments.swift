/// The raw adjustments of a recipe, named and meant as CIRAWFilter's properties; nil is "as the file
/// says".
package struct DevelopAdjustments: Equatable, Sendable {
  /// Settings that are there by name, under all others.
  package var preset: DevelopPreset?
  /// EV, -10 to 10.
  package var exposure: Double?
  /// EV, -10 to 10; 0 gives a linear response.
  package var baselineExposure: Double?
  /// 0 to 100 thousandths of the linear range, subtracted from the shadows.
  package var shadowBias: Double?
  /// 0 (linear) to 1 (the full tone curve).
  package var boostAmount: Double?
  /// 0 to 2; 1 leaves the shadows of the tone curve as they are.
  package var boostShadowAmount: Double?
  package var isGamutMappingEnabled: Bool?
  package var isHighlightRecoveryEnabled: Bool?
  /// 0 to 1.
  package var luminanceNoiseReductionAmount: Double?
  /// 0 to 1.
  package var colorNoiseReductionAmount: Double?
  /// 0 to 1.
  package var sharpnessAmount: Double?
  /// 0 to 1.
  package var contrastAmount: Double?
  /// 0 to 3.
  package var detailAmount: Double?
  /// 0 to 1; of mosaics only.
  package var moireReductionAmount: Double?
  /// 0 to 1; of mosaics only.
  package var despeckleAmount: Double?
  /// 0 to 1 of the file's local tone map.
  package var localToneMapAmount: Double?
  /// 0 to 2; headroom above white in HDR outputs.
  package var extendedDynamicRangeAmount: Double?
  /// The chromaticity of what is neutral.
  package var neutralChromaticity: RecipePoint?
  /// A place of the picture that is neutral: whole numbers are pixel centres, from the top-left one.
  package var neutralLocation: RecipePoint?
  /// Kelvin, 2000 to 50000.
  package var neutralTemperature: Double?
  /// -150 to 150.
  package var neutralTint: Double?
  /// The version of the look; the newest if absent.
  package var decoderVersion: DecoderVersion?
  /// Under `extra`: an external camera profile.
  package var profile: RecipeFile?
  /// Under `extra`: a look after the tone curve.
  package var lut: RecipeFile?
  /// Under `extra`, 0 to 1.
  package var localContrastCompress: Double?
  /// Whether OpcodeList3 corrects the lens.
  package var isLensCorrectionEnabled: Bool?
  /// Above 0 to 1.
  package var scaleFactor: Double?
  package var isDraftModeEnabled: Bool?
  /// Exif orientation, 1 to 8.
  package var orientation: Int?
  /// Under `extra`: a part of the picture as it is seen.
  package var crop: CropRectangle?
  /// Under `extra`: Core Image has no such choice.
  package var demosaic: DemosaicMethod?
  /// Properties whose stage does not exist yet and that the recipe sets to the value that asks for
  /// nothing (`localToneMapAmount: 0`): part of the digest, because a later version has the stage.
  package var switchedOff: Set<String> = []

  /// Which part of a recipe set a value, by the path of its key; what is missing here was set by a key of
  /// `develop`.
  ///
  /// Filled by `Recipe.adjustments(for:)`.
  package var origins: [String: AdjustmentOrigin] = [:]

  package init() {}
}
