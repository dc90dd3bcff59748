internal import RawModel

/// The noise of a raw: variance = scale * signal + offset, the signal from 0 (black) to 1 (white).
///
/// DNG 1.7.1, "NoiseProfile".
struct NoiseModel: Equatable {
  /// Above 0.
  let scale: Double
  /// Above 0.
  let offset: Double

  /// At ISO 100 and BaselineNoise 1: a full-frame camera's noise, which hardly any raw stays below.
  private static let base = (scale: 2e-5, offset: 4.5e-7)
  /// Keeps divisions finite where a profile says that there is no noise, or less.
  private static let least = (scale: 1e-9, offset: 1e-12)

  init(scale: Double, offset: Double) {
    self.scale = max(scale, Self.least.scale)
    self.offset = max(offset, Self.least.offset)
  }

  /// The plane with the least noise of a raw's profile, or an estimate from BaselineNoise and the
  /// sensitivity without one.
  init(_ description: RawDescription) {
    let planes = (description.noiseProfile?.planes ?? [])
      .map { NoiseModel(scale: $0.scale, offset: $0.offset) }
    // Compared where most of a picture is.
    if let cleanest = planes.min(by: { $0.variance(0.18) < $1.variance(0.18) }) {
      self = cleanest
      return
    }
    let gain = max(1, Double(description.capture.isoSpeed ?? 100) / 100)
    let stated = description.hints.baselineNoise
    let noise = stated > 0 ? stated : 1
    self.init(
      scale: Self.base.scale * gain * noise * noise,
      offset: Self.base.offset * gain * gain * noise * noise
    )
  }

  /// The variance at a signal; below black that of black.
  func variance(_ signal: Double) -> Double { scale * max(0, signal) + offset }

  /// The standard deviation.
  func sigma(_ signal: Double) -> Double { variance(signal).squareRoot() }

  /// The signal in steps of its own noise, from black: the integral of 1 / sigma.
  ///
  /// Anscombe, "The transformation of Poisson, binomial and negative-binomial data", Biometrika 35
  /// (1948), with a constant noise added; below black the noise is black's.
  func stabilized(_ signal: Double) -> Double {
    let black = offset.squareRoot()
    guard signal > 0 else { return signal / black }
    return 2 * ((scale * signal + offset).squareRoot() - black) / scale
  }

  /// The signal that `stabilized` maps to `value`.
  func signal(_ value: Double) -> Double {
    let black = offset.squareRoot()
    guard value > 0 else { return value * black }
    let root = value * scale / 2 + black
    return (root * root - offset) / scale
  }
}
