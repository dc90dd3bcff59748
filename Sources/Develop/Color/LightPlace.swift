internal import ColorScience
internal import RawModel

/// A light where three calibrations are weighed: reciprocal temperature against tint.
///
/// The axes are `min(1500 K / T, 1)` and `tint / 200`. The weights of three lights are the inverses of the
/// squared distances (plus 1e-8) over their sum, each through a smoothstep, then with what lies under 0.02
/// cut off, and again over their sum: DNG 1.7.1 chapter 6 leaves the interpolation between three
/// calibrations to the reader, and this is what the specification's reference implementation does, so
/// that profiles look as their makers saw them.
struct LightPlace: Equatable, Sendable {
  private let reciprocal: Double
  private let tint: Double

  init(_ temperature: ColorTemperature) {
    reciprocal = min(1500 / temperature.kelvin, 1)
    tint = temperature.tint / 200
  }

  /// The weights of lights for this white; they add up to 1.
  func weights(of lights: [LightPlace]) -> [Double] {
    let near = normalized(
      lights.map { light in
        let across = reciprocal - light.reciprocal
        let along = tint - light.tint
        return 1 / (across * across + along * along + 1e-8)
      }
    )
    let smooth = near.map { $0 * $0 * (3 - 2 * $0) }
    return normalized(smooth.map { min(max(($0 - 0.02) / 0.98, 0), 1) })
  }

  private func normalized(_ weights: [Double]) -> [Double] {
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }
}

extension CameraColor.Calibration {
  /// What is known of the light.
  struct Light {
    /// For the mix of two.
    let kelvin: Double
    /// For the mix of three.
    let temperature: ColorTemperature
  }

  /// The calibration's light; nil where it is unknown.
  var light: Light? {
    if let white = illuminantData?.chromaticity, illuminant == 255, white.isPlausible {
      let temperature = ColorTemperature(white)
      return Light(kelvin: temperature.kelvin, temperature: temperature)
    }
    let illuminant = Illuminant(rawValue: illuminant)
    guard let kelvin = illuminant.kelvin, let white = illuminant.chromaticity else { return nil }
    return Light(kelvin: kelvin, temperature: ColorTemperature(white))
  }
}

extension IlluminantData {
  /// The chromaticity of the light; nil for a spectrum without sense.
  var chromaticity: Chromaticity? {
    switch self {
    case .chromaticity(let white): white
    case .spectrum(let first, let step, let powers):
      Chromaticity(spectrumFrom: first, step: step, powers: powers)
    }
  }
}
