import ImageEncoding
import Testing

@Suite struct RateFactorTests {
  @Test(arguments: [
    (1.0, 4), (0.95, 11), (0.9, 18), (0.8, 22), (0.5, 33), (0.0, 51), (-1.0, 51), (2.0, 4),
    (.nan, 51), (.infinity, 4),
  ])
  func qualitiesHaveTheirFactor(quality: Double, factor: Int) {
    #expect(RateFactor(quality: quality).value == factor)
  }

  @Test func moreQualityIsNeverACoarserFactor() {
    let factors = (0...1000).map { RateFactor(quality: Double($0) / 1000).value }
    #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 >= $1 })
  }
}
