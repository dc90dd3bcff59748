package import ColorScience
package import RawModel
package import Recipe

/// The settings of one development, each resolved to a value: the recipe's, the file's or the default.
package struct DevelopSettings: Equatable, Sendable {
  /// Where each value came from, by recipe key.
  var origins: [String: ResolvedSetting.Origin]

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
  /// The chromaticity that is rendered neutral.
  package let white: Chromaticity
  /// Correlated colour temperature of `white`, in kelvin.
  package let neutralTemperature: Double
  /// Distance of `white` from the Planckian locus, positive above it (green).
  package let neutralTint: Double

  /// Resolves a recipe's adjustments for one raw.
  ///
  /// - Throws: What is wrong with the raw's colour tags or with a value of the recipe.
  package init(
    resolving adjustments: DevelopAdjustments,
    for description: RawDescription
  ) throws(DevelopError) {
    origins = [:]
    exposureEV = adjustments.exposure ?? 0
    baselineExposureEV = adjustments.baselineExposure ?? description.baselineExposure
    shadowBias = adjustments.shadowBias ?? (description.isDefaultBlackNone ? 0 : 5)
    boostAmount = adjustments.boostAmount ?? 1
    boostShadowAmount = adjustments.boostShadowAmount ?? 1
    isGamutMappingEnabled = adjustments.isGamutMappingEnabled ?? true
    white = .d55
    neutralTemperature = adjustments.neutralTemperature ?? 5500
    neutralTint = adjustments.neutralTint ?? 10
  }
}
