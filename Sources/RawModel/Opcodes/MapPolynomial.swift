/// OpcodeList MapPolynomial (opcode 8): samples from 0 to 1 through a polynomial.
///
/// DNG 1.7.1 chapter 7, "MapPolynomial".
package struct MapPolynomial: Equatable, Sendable {
  package var area: OpcodeArea
  /// 1 to 9 coefficients, the constant first.
  package var coefficients: [Double]

  package init(area: OpcodeArea, coefficients: [Double]) {
    self.area = area
    self.coefficients = coefficients
  }
}
