internal import ColorScience

/// The noise of lightness after the tone curve, as a cubic polynomial in lightness.
enum LightnessNoise {
  /// Fits the polynomial by least squares.
  ///
  /// `values`: neutral balanced samples, ascending.
  /// `lightness`: what becomes of each.
  /// `noise`: of balanced samples.
  /// `share`: how much of the noise is left.
  static func polynomial(
    values: [Double],
    lightness: [Double],
    noise: NoiseModel,
    share: Double
  ) -> [4 of Float] {
    let weights = RGBSpace.romm.toXYZ.rows[1]
    // Normal equations of the powers up to the third, and the right side.
    var system = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
    for index in 1..<(values.count - 1) {
      let width = values[index + 1] - values[index - 1]
      let rise = lightness[index + 1] - lightness[index - 1]
      let variances = noise.variance(values[index])
      let variance = (weights * weights * variances).sum()
      let deviation = share * rise / width * max(variance, 0).squareRoot()
      let p = lightness[index]
      let powers = [1, p, p * p, p * p * p]
      for row in 0..<4 {
        for column in 0..<4 { system[row][column] += powers[row] * powers[column] }
        system[row][4] += powers[row] * deviation
      }
    }
    guard let solution = solved(system), solution.allSatisfy({ $0.isFinite }) else {
      return [0, 0, 0, 0]
    }
    return [Float(solution[0]), Float(solution[1]), Float(solution[2]), Float(solution[3])]
  }

  /// Gaussian elimination with pivots; nil for a singular system, as of a curve that is flat.
  private static func solved(_ system: [[Double]]) -> [Double]? {
    var system = system
    let count = system.count
    for column in 0..<count {
      guard
        let pivot = (column..<count).max(by: {
          system[$0][column].magnitude < system[$1][column].magnitude
        }), system[pivot][column].magnitude > 1e-12
      else { return nil }
      system.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = system[row][column] / system[column][column]
        for index in column...count { system[row][index] -= factor * system[column][index] }
      }
    }
    return (0..<count).map { system[$0][count] / system[$0][$0] }
  }
}
