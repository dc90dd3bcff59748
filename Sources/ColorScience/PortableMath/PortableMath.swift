/// Transcendental functions with the same bits on every machine.
///
/// The C library's `pow`, `exp`, `log`, `sin` … take other paths where the processor has FMA, and
/// differ in the last bit. A result that reaches a pixel, a table or a stored number must not, so these
/// use IEEE addition, subtraction, multiplication, division and square root alone, which are exact to
/// the bit everywhere; the compiler contracts none of them. Errors stay within a few units in the last
/// place (the tests have the bounds); speed was not the aim.
package enum PortableMath {
  /// ln 2.
  static let ln2 = 0.693147180559945309417232121458

  /// The sum `c0 + c1 x + c2 x^2 ...` by Horner's rule.
  @inline(__always)
  static func polynomial(_ x: Double, _ coefficients: [Double]) -> Double {
    var sum = 0.0
    for coefficient in coefficients.reversed() { sum = sum * x + coefficient }
    return sum
  }

  /// `1, 1/1!, 1/2! ...`, each the rounded quotient.
  static let inverseFactorials: [Double] = {
    var values = [1.0]
    var factorial = 1.0
    for k in 1...22 {
      factorial *= Double(k)
      values.append(1 / factorial)
    }
    return values
  }()
}
