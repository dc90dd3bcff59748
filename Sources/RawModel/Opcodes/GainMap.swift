/// OpcodeList GainMap (opcode 9): a coarse grid of gains, one per plane, stretched over the image.
///
/// DNG 1.7.1 chapter 7, "GainMap".
package struct GainMap: Equatable, Sendable {
  package var area: OpcodeArea
  package var pointsV: Int
  package var pointsH: Int
  /// Distance between grid points, 1.0 being the image's height and width.
  package var spacingV: Double
  package var spacingH: Double
  package var originV: Double
  package var originH: Double
  package var mapPlanes: Int
  /// `pointsV * pointsH * mapPlanes` gains, planes innermost.
  package var gains: [Float]

  package init(
    area: OpcodeArea,
    pointsV: Int,
    pointsH: Int,
    spacingV: Double,
    spacingH: Double,
    originV: Double,
    originH: Double,
    mapPlanes: Int,
    gains: [Float]
  ) {
    self.area = area
    self.pointsV = pointsV
    self.pointsH = pointsH
    self.spacingV = spacingV
    self.spacingH = spacingH
    self.originV = originV
    self.originH = originH
    self.mapPlanes = mapPlanes
    self.gains = gains
  }
}
