/// OpcodeList WarpRectilinear2 (opcode 14): as WarpRectilinear, with a radial polynomial of all powers.
///
/// `f = kr0 + kr1 r + kr2 r^2 + ... + kr14 r^14`, or its reciprocal. DNG 1.7.1 chapter 7,
/// "WarpRectilinear2".
package struct WarpRectilinear2: Equatable, Sendable {
  /// The coefficients of one plane.
  package struct Coefficients: Equatable, Sendable {
    /// kr0 to kr14: 15 values.
    package var radial: [Double]
    /// kt0, kt1: 2 values.
    package var tangential: [Double]
    /// The radii for which the polynomial holds; outside, the nearest of them counts.
    package var validRadius: ClosedRange<Double>

    package init(radial: [Double], tangential: [Double], validRadius: ClosedRange<Double>) {
      precondition(radial.count == 15 && tangential.count == 2)
      self.radial = radial
      self.tangential = tangential
      self.validRadius = validRadius
    }
  }

  /// One set for all planes, or one for each.
  package var sets: [Coefficients]
  package var center: OpticalCenter
  /// The radial factor is one over the polynomial.
  package var isReciprocal: Bool

  package init(sets: [Coefficients], center: OpticalCenter, isReciprocal: Bool) {
    self.sets = sets
    self.center = center
    self.isReciprocal = isReciprocal
  }
}
