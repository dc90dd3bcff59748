internal import RawModel

/// The noise of a raw by light: variance = scale · x + offset, x from 0 (black) to 1 (white).
///
/// DNG 1.7.1, "NoiseProfile" (51041). Where a file has none: BaselineNoise 1 at ISO 100, that is scale
/// 2e-5 and offset 4.5e-7, the scale growing with ISO/100 and the offset with its square.
struct RawNoise {
  private let profile: NoiseProfile

  init(_ description: RawDescription) {
    if let profile = description.noiseProfile,
      profile.planes.allSatisfy({ $0.scale >= 0 && $0.scale + $0.offset > 0 })
    {
      self.profile = profile
    } else {
      let isoSpeed = description.capture.isoSpeed ?? 100
      let ratio = Double(min(max(isoSpeed, 25), 10_000_000)) / 100
      profile = NoiseProfile(planes: [
        .init(scale: 2e-5 * ratio, offset: 4.5e-7 * ratio * ratio)
      ])
    }
  }

  /// The variance at a level of light, in squares of the range from black to white; greater than 0.
  func variance(at light: Double, color: Int) -> Double {
    let plane = profile[color]
    return max(plane.scale * max(light, 0) + plane.offset, 1e-12)
  }
}
