/// OpcodeList FixVignetteRadial (opcode 3): the gain `1 + k0 r^2 + k1 r^4 + k2 r^6 + k3 r^8 + k4 r^10`.
///
/// DNG 1.7.1 chapter 7, "FixVignetteRadial".
package struct FixVignetteRadial: Equatable, Sendable {
  /// k0 to k4: 5 values.
  package var coefficients: [Double]
  package var center: OpticalCenter

  package init(coefficients: [Double], center: OpticalCenter) {
    precondition(coefficients.count == 5)
    self.coefficients = coefficients
    self.center = center
  }
}
