internal import RawModel

/// MapPolynomial: `c0 + c1 x + c2 x^2 + ...`, by Horner's rule.
///
/// x is the sample in its logical range: the stored value in list 1, 0 to 1 in lists 2 and 3. DNG 1.7.1 chapter 7,
/// "MapPolynomial". Version 1.
struct MapPolynomialOpcode: PointOpcode {
  static let name = "mapPolynomial"

  let area: OpcodeArea
  private let coefficients: [Double]
  private let singles: [Float]

  init(_ map: MapPolynomial) {
    area = map.area
    coefficients = map.coefficients
    singles = map.coefficients.map { Float($0) }
  }

  func change(_ value: Double, white: Double, x: Int, y: Int) -> Double {
    coefficients.reversed().reduce(0) { $0 * value + $1 }
  }

  func change(_ run: SampleRun, limit: Float) {
    run.replace { value, _ in
      var result = Lanes(repeating: 0)
      for coefficient in singles.reversed() {
        result = result * value + Lanes(repeating: coefficient)
      }
      return result.clamped(0, limit)
    }
  }
}
