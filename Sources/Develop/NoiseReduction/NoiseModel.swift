package import ColorScience
internal import RawModel

/// How noisy linear samples are: variance = `slope` x value + `offset`, for values from 0 (black) to 1
/// (white), for red, green and blue.
///
/// DNG 1.7.1 chapter 4, NoiseProfile (51041). Version 1.
package struct NoiseModel: Equatable, Sendable {
  /// Shot noise.
  package var slope: Vector3
  /// Read noise.
  package var offset: Vector3

  package init(slope: Vector3, offset: Vector3) {
    self.slope = slope
    self.offset = offset
  }

  /// That of samples multiplied by gains.
  package func scaled(by gains: Vector3) -> NoiseModel {
    NoiseModel(slope: gains * slope, offset: gains * gains * offset)
  }

  /// That of means of so many samples of red, green and blue.
  package func averaged(over counts: Vector3) -> NoiseModel {
    NoiseModel(slope: slope / counts, offset: offset / counts)
  }

  /// The variance of neutral samples of this value.
  package func variance(_ value: Double) -> Vector3 {
    value * slope + offset
  }

  /// Held to values that arithmetic in single precision can work with.
  package var bounded: NoiseModel {
    NoiseModel(
      slope: slope.clamped(
        lowerBound: Vector3(repeating: 1e-8),
        upperBound: Vector3(repeating: 1)
      ),
      offset: offset.clamped(
        lowerBound: Vector3(repeating: 0),
        upperBound: Vector3(repeating: 1)
      )
    )
  }
}

extension NoiseModel {
  /// That of a raw's linear samples.
  ///
  /// The file's NoiseProfile; without one a camera of full frame at its ISO speed is assumed: variances of
  /// 2e-5 x + 4.5e-7 at ISO 100, the first growing with the speed, the second with its square, and both with
  /// the square of BaselineNoise (50731).
  init(_ description: RawDescription) {
    if let profile = description.noiseProfile {
      slope = Vector3(profile[0].scale, profile[1].scale, profile[2].scale)
      offset = Vector3(profile[0].offset, profile[1].offset, profile[2].offset)
      return
    }
    let speed = min(max(Double(description.capture.isoSpeed ?? 100), 25), 1e6) / 100
    let baseline = description.hints.baselineNoise
    let share = baseline.isFinite ? min(max(baseline * baseline, 0.01), 100) : 1
    slope = Vector3(repeating: 2e-5 * speed * share)
    offset = Vector3(repeating: 4.5e-7 * speed * speed * share)
  }
}
