import Reporting
import Testing

@Suite struct RatioEstimateTests {
  /// Abramowitz and Stegun, table 26.10, with the digits of SciPy's `stats.t.ppf(0.975, n)`.
  @Test(arguments: [
    (1, 12.706204736), (2, 4.302652730), (3, 3.182446305), (4, 2.776445105), (5, 2.570581836),
    (10, 2.228138852), (11, 2.200985160), (30, 2.042272456), (60, 2.000297822),
    (120, 1.979930405), (9_999, 1.960201264),
  ])
  func studentsBoundsAreThoseOfTheTables(degrees: Int, expected: Double) {
    let student = StudentT(degreesOfFreedom: degrees)
    let bound = student.bound(holding: 0.95)
    #expect(abs(bound - expected) < 1e-8, "\(degrees): \(bound)")
    #expect(abs(student.probability(within: bound) - 0.95) < 1e-12)
    #expect(student.probability(within: 0) == 0)
  }

  /// Of one degree of freedom half lies within 1 (Cauchy's distribution), of two 1/√3 within 1.
  @Test func probabilitiesOfClosedForm() {
    #expect(abs(StudentT(degreesOfFreedom: 1).probability(within: 1) - 0.5) < 1e-15)
    let third = (1.0 / 3).squareRoot()
    #expect(abs(StudentT(degreesOfFreedom: 2).probability(within: 1) - third) < 1e-15)
  }

  /// By hand: r = 13/6, residuals -1/6, -1/3, 1/2, s² = 7/36, variance 0.7 · 7/108.
  @Test func threeOfTen() throws {
    let estimate = RatioEstimate([(1, 2), (2, 4), (3, 7)], population: 10, known: 20)
    #expect(abs(estimate.value - 130.0 / 3) < 1e-12)
    let expected = 4.302652730 * 10 * (0.7 * 7 / 108).squareRoot()
    #expect(abs(try #require(estimate.margin) - expected) < 1e-7)
  }

  @Test func fewSamplesHaveNoRange() {
    for samples in [[(x: 1.0, y: 2.0)], [(1, 2), (2, 3)]] {
      let estimate = RatioEstimate(samples, population: 10, known: 20)
      #expect(estimate.value > 0 && estimate.margin == nil)
    }
    #expect(RatioEstimate([], population: 10, known: 20).margin == nil)
  }

  @Test func ofAllNothingIsReckoned() {
    let estimate = RatioEstimate([(1, 2), (2, 3)], population: 2, known: 3)
    #expect(estimate.value == 5 && estimate.margin == 0)
  }
}
