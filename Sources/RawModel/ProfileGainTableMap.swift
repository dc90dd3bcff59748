/// A grid of gain curves over the picture: ProfileGainTableMap (52525) or ProfileGainTableMap2 (52544).
///
/// DNG 1.7.1 chapter 6, "ProfileGainTableMap", "ProfileGainTableMap2". Version 1 is version 2 with
/// floating-point gains and a gamma of 1; gains of integer types are already mapped to
/// `gainMin...gainMax`, and those of half precision are widened, so that both come as floats.
package struct ProfileGainTableMap: Equatable, Sendable {
  /// The tag that it came from: 1 or 2.
  package var version: Int
  package var pointsV: Int
  package var pointsH: Int
  /// Distance between grid points, 1.0 being the height and width of the active area.
  package var spacingV: Double
  package var spacingH: Double
  package var originV: Double
  package var originH: Double
  /// Gains of each grid point (MapPointsN).
  package var pointsN: Int
  /// Weights of red, green, blue, the smallest and the largest of them (MapInputWeights), of which the
  /// table's input is the sum.
  package var inputWeights: [5 of Float]
  /// Exponent of the input, 0.25 to 4; 1 in version 1.
  package var gamma: Float
  /// `pointsV * pointsH * pointsN` gains, those of a grid point innermost.
  package var gains: [Float]

  package init(
    version: Int,
    pointsV: Int,
    pointsH: Int,
    spacingV: Double,
    spacingH: Double,
    originV: Double,
    originH: Double,
    pointsN: Int,
    inputWeights: [5 of Float],
    gamma: Float = 1,
    gains: [Float]
  ) {
    self.version = version
    self.pointsV = pointsV
    self.pointsH = pointsH
    self.spacingV = spacingV
    self.spacingH = spacingH
    self.originV = originV
    self.originH = originH
    self.pointsN = pointsN
    self.inputWeights = inputWeights
    self.gamma = gamma
    self.gains = gains
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.version == right.version && left.pointsV == right.pointsV
      && left.pointsH == right.pointsH && left.spacingV == right.spacingV
      && left.spacingH == right.spacingH && left.originV == right.originV
      && left.originH == right.originH && left.pointsN == right.pointsN
      && left.inputWeights.indices.allSatisfy { left.inputWeights[$0] == right.inputWeights[$0] }
      && left.gamma == right.gamma && left.gains == right.gains
  }
}
