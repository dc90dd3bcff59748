internal import ColorScience

/// Student's t distribution with a whole number of degrees of freedom.
package struct StudentT: Equatable, Sendable {
  /// 1 or more.
  package let degreesOfFreedom: Int

  /// - Precondition: `degreesOfFreedom` is at least 1.
  package init(degreesOfFreedom: Int) {
    precondition(degreesOfFreedom >= 1)
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// How probable values up to a bound are.
  ///
  /// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4: a finite series in the
  /// cosine of arctan(t / √ν), for odd and for even degrees ν.
  ///
  /// - Parameter t: The bound, 0 or more.
  /// - Returns: The probability of a value from -`t` to `t`.
  package func probability(within t: Double) -> Double {
    let degrees = Double(degreesOfFreedom)
    let hypotenuse = (degrees + t * t).squareRoot()
    let sine = t / hypotenuse
    let cosine = degrees.squareRoot() / hypotenuse
    let isOdd = !degreesOfFreedom.isMultiple(of: 2)
    var term = isOdd ? cosine : 1
    var sum = degreesOfFreedom == 1 ? 0 : term
    for power in stride(from: isOdd ? 3 : 2, through: degreesOfFreedom - 2, by: 2) {
      term *= cosine * cosine * Double(power - 1) / Double(power)
      sum += term
    }
    guard isOdd else { return sine * sum }
    return 2 / Double.pi * (PortableMath.atan2(t, degrees.squareRoot()) + sine * sum)
  }

  /// The value for which ±t holds a probability, to about twelve digits.
  ///
  /// - Precondition: `probability` is in 0..<1.
  package func bound(holding probability: Double) -> Double {
    precondition(probability >= 0 && probability < 1)
    var high = 1.0
    while self.probability(within: high) < probability { high *= 2 }
    var low = 0.0
    // Each step halves what is left: the last ones change no digit that counts.
    while high - low > high * 1e-13 {
      let middle = (low + high) / 2
      if self.probability(within: middle) < probability { low = middle } else { high = middle }
    }
    return high
  }
}
