/// The part of the active area that is meant to be shown (DefaultCropOrigin/Size, 50719/50720), in
/// pixels that may be fractions, from the active area's corner.
package struct DefaultCrop: Equatable, Sendable {
  package var originX: Double
  package var originY: Double
  package var width: Double
  package var height: Double

  package init(originX: Double, originY: Double, width: Double, height: Double) {
    self.originX = originX
    self.originY = originY
    self.width = width
    self.height = height
  }
}
