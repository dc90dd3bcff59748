internal import ColorScience

/// Exposure as a factor, where a profile's stage comes before it; otherwise `WorkingColorStage` has it in
/// its matrix.
///
/// `2^(exposure + baselineExposure)`, unclipped. Version 1.
struct ExposureStage: PixelStage, Equatable {
  static let name = "exposure"

  let gain: Float

  init(_ context: StageContext) {
    gain = Float(context.settings.exposureGain)
  }

  func apply(_ row: PixelRow) {
    let gain = Lanes(repeating: gain)
    for color in 0..<3 {
      let samples = row.rows[color]
      for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
        samples[lanes: i] = samples[lanes: i] * gain
      }
    }
  }
}

extension DevelopSettings {
  /// What linear light is multiplied by.
  var exposureGain: Double { PortableMath.exp2(exposureEV + baselineExposureEV) }
}
