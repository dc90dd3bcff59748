package import RawModel

/// Which adjustments can change a raw: CIRAWFilter's `is…Supported` flags.
package struct SupportedAdjustments: Equatable, Sendable {
  package var isHighlightRecoverySupported: Bool
  package var isLensCorrectionSupported: Bool
  package var isLuminanceNoiseReductionSupported: Bool
  package var isColorNoiseReductionSupported: Bool
  package var isSharpnessSupported: Bool
  package var isContrastSupported: Bool
  package var isDetailSupported: Bool
  package var isMoireReductionSupported: Bool
  package var isDespeckleSupported: Bool
  package var isLocalToneMapSupported: Bool

  /// Flags of one raw.
  ///
  /// - Parameters:
  ///   - description: Of the raw.
  ///   - reachesWhite: Whether any sample of a LinearRaw of several colours reaches its WhiteLevel, so that
  ///     there is something to rebuild; without meaning for a mosaic, which may always.
  package init(_ description: RawDescription, reachesWhite: Bool) {
    let isMosaic = description.layout.isMosaic
    let isMonochrome = description.layout == .linear(planes: 1)
    isHighlightRecoverySupported = isMosaic || !isMonochrome && reachesWhite
    isLensCorrectionSupported = description.opcodeList3.contains { opcode in
      switch opcode.operation {
      case .warpRectilinear, .warpFisheye, .fixVignetteRadial, .gainMap, .warpRectilinear2: true
      default: false
      }
    }
    isLuminanceNoiseReductionSupported = true
    isColorNoiseReductionSupported = !isMonochrome
    isSharpnessSupported = true
    isContrastSupported = true
    isDetailSupported = true
    // Moire and single hot pixels are made by the colour filters and the sensor's photosites.
    isMoireReductionSupported = isMosaic
    isDespeckleSupported = isMosaic
    isLocalToneMapSupported =
      description.profile.gainTableMap != nil || description.gainTableMap != nil
  }

  /// Every flag by its name, in the order of CIRAWFilter's documentation.
  package var flags: [(name: String, value: Bool)] {
    [
      ("isHighlightRecoverySupported", isHighlightRecoverySupported),
      ("isLensCorrectionSupported", isLensCorrectionSupported),
      ("isLuminanceNoiseReductionSupported", isLuminanceNoiseReductionSupported),
      ("isColorNoiseReductionSupported", isColorNoiseReductionSupported),
      ("isSharpnessSupported", isSharpnessSupported),
      ("isContrastSupported", isContrastSupported),
      ("isDetailSupported", isDetailSupported),
      ("isMoireReductionSupported", isMoireReductionSupported),
      ("isDespeckleSupported", isDespeckleSupported),
      ("isLocalToneMapSupported", isLocalToneMapSupported),
    ]
  }
}
