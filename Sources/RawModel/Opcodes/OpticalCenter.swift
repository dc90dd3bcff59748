/// The centre of a lens correction, relative to the image: 0 the first pixel's centre, 1 the last's.
package struct OpticalCenter: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
