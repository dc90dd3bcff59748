/// OpcodeList WarpRectilinear (opcode 1): radial and tangential distortion.
///
/// With r the distance from the centre over the distance to the farthest corner, a pixel comes from
/// `f = kr0 + kr1 r^2 + kr2 r^4 + kr3 r^6` times its distance, plus the tangential terms. DNG 1.7.1
/// chapter 7, "WarpRectilinear".
package struct WarpRectilinear: Equatable, Sendable {
  /// The coefficients of one plane.
  package struct Coefficients: Equatable, Sendable {
    /// kr0 to kr3: 4 values.
    package var radial: [Double]
    /// kt0, kt1: 2 values.
    package var tangential: [Double]

    package init(radial: [Double], tangential: [Double]) {
      precondition(radial.count == 4 && tangential.count == 2)
      self.radial = radial
      self.tangential = tangential
    }
  }

  /// One set for all planes, or one for each.
  package var sets: [Coefficients]
  package var center: OpticalCenter

  package init(sets: [Coefficients], center: OpticalCenter) {
    self.sets = sets
    self.center = center
  }
}
