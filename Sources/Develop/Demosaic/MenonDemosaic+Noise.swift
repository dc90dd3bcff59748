internal import ColorScience

extension MenonDemosaic {
  /// The noise of a balanced mosaic: the roots of light that colours are reconstructed in, and the directions
  /// that are not to be taken from it.
  ///
  /// The better direction is that with the smaller change of the colour difference. In a flat noisy area both
  /// changes are noise and the decision is a coin's: it turns noise into a maze of short lines, and throws
  /// half of the samples away. Here the row's weight goes in a line from 0 to 1 as the difference of the two
  /// changes goes through `reach` deviations of noise on both sides of 0.
  struct Noise: Equatable, Sendable {
    /// Deviations of a sample's noise over which the weight goes from a half to 0 or 1.
    ///
    /// Four of the preference's own deviations, which is 3.5 of a sample's in flat white noise (measured). Three photographs
    /// with noise of ISO 800 to 12800 came 0.06 to 0.4 dB closer to their originals; 7 and 28 were within
    /// 0.1 dB of that.
    static let reach = 14.0

    let light: RootLight
    /// How far directions are mixed, 0 to 1.
    let strength: Float
    /// Variance = slope x value + offset, times the square of `reach`.
    let slope: Float
    let offset: Float

    /// - Parameters:
    ///   - noise: Of the samples as stored, white being 1.
    ///   - gains: Their white balance.
    init(_ noise: NoiseModel, gains: Vector3) {
      let balanced = noise.scaled(by: gains)
      light = RootLight(balanced)
      strength = Float(balanced.strength)
      // A colour difference has green's noise and that of red or blue; the mean of the two is close.
      let weights = Vector3(0.25, 0.5, 0.25)
      let square = Self.reach * Self.reach
      slope = Float((balanced.slope * weights).sum() * square)
      offset = Float((balanced.offset * weights).sum() * square)
    }

    /// The row's weight; `preference` and `level` are in roots of light.
    @inline(__always)
    func weight(preference: Lanes, level: Lanes) -> Lanes {
      // The slope of a root is 1 / (2 root), and so is its deviation over that of the light.
      let root = level.magnitude + light.root
      let bright = (root * root - light.root * light.root) * slope + offset
      let inverse = bright.maximum(Lanes(repeating: 1e-20)).reciprocalSquareRoot * root
      let soft = (preference * inverse + 0.5).unitClamped
      let hard = Lanes(repeating: 0).replacing(with: 1, where: preference .>= 0)
      return hard + (soft - hard) * strength
    }
  }

  /// The light that results are in, by that of the samples.
  protocol LightDomain {
    func restored(_ sample: Lanes) -> Lanes
  }

  /// Samples are light.
  struct LinearLight: LightDomain {
    @inline(__always)
    func restored(_ sample: Lanes) -> Lanes { sample }
  }

  /// How values along the row and along the column make one.
  protocol DirectionChoice {
    static func of(row: Lanes, column: Lanes, _ preference: Lanes) -> Lanes
  }

  /// The better direction.
  enum Better: DirectionChoice {
    @inline(__always)
    static func of(row: Lanes, column: Lanes, _ preference: Lanes) -> Lanes {
      column.replacing(with: row, where: preference .>= 0)
    }
  }

  /// A mean, with the row's weight.
  enum Weighted: DirectionChoice {
    @inline(__always)
    static func of(row: Lanes, column: Lanes, _ preference: Lanes) -> Lanes {
      column + (row - column) * preference
    }
  }
}

extension RootLight: MenonDemosaic.LightDomain {}
