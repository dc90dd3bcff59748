/// Noise of a sensor: shot noise that grows with the signal, and read noise.
///
/// variance = scale * signal + offset for signals from 0 to 1, the model of DNG's NoiseProfile.
package struct SensorNoise: Equatable, Sendable {
  package let scale: Double
  package let offset: Double

  package init(scale: Double, offset: Double) {
    self.scale = scale
    self.offset = offset
  }

  /// A full-frame sensor at ISO 200.
  package static let singleExposure = SensorNoise(scale: 1e-4, offset: 1e-6)
  /// Sixteen exposures merged, as phones do for their demosaiced raws.
  package static let mergedExposures = SensorNoise(scale: 1e-4 / 16, offset: 1e-6 / 16)

  package func standardDeviation(signal: Double) -> Double {
    (scale * max(0, signal) + offset).squareRoot()
  }
}
