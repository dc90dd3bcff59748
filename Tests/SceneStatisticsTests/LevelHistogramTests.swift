import SceneStatistics
import Testing

@Suite struct LevelHistogramTests {
  private func histogram(_ levels: [Int]) -> LevelHistogram {
    var counts = [UInt32](repeating: 0, count: 65536)
    for level in levels { counts[level] += 1 }
    return LevelHistogram(counts: counts)
  }

  @Test func trimsAndCounts() {
    let four = histogram([10, 12, 12, 65535])
    #expect(four.firstLevel == 10 && four.counts.count == 65526)
    #expect(four.total == 4 && four.minimum == 10 && four.maximum == 65535)
    #expect(four[12] == 2 && four[11] == 0 && four[9] == 0 && four[70000] == 0)
    #expect(four.count(from: 12) == 3 && four.count(from: 12.5) == 1 && four.count(below: 12) == 1)
  }

  @Test func nothingHasNoStatistics() {
    let none = histogram([])
    #expect(none.total == 0 && none.minimum == nil && none.maximum == nil && none.mean == nil)
    #expect(none.standardDeviation == nil && none.percentile(0.5) == nil)
    #expect(none.samples(below: 5) == none && none.mapped(through: [1]) == none)
  }

  /// Four samples 2 4 4 6: mean 4, variance 2.
  @Test func momentsByHand() {
    let four = histogram([2, 4, 4, 6])
    #expect(four.mean == 4 && four.standardDeviation == 2.0.squareRoot())
  }

  /// Large levels of nearly no spread, where a difference of rounded sums would give nothing.
  @Test func momentsLoseNothing() {
    var counts = [UInt32](repeating: 0, count: 65536)
    counts[65534] = 500_000_000
    counts[65535] = 500_000_000
    let histogram = LevelHistogram(counts: counts)
    #expect(histogram.mean == 65534.5 && histogram.standardDeviation == 0.5)
  }

  @Test func percentilesAreLevelsThatOccur() {
    let ten = histogram(Array(1...10))
    #expect(ten.percentile(0) == 1 && ten.percentile(0.1) == 1 && ten.percentile(0.11) == 2)
    #expect(ten.percentile(0.5) == 5 && ten.percentile(0.95) == 10 && ten.percentile(1) == 10)
  }

  @Test func tablesEndWithTheirLastEntry() {
    let mapped = histogram([0, 1, 2, 500]).mapped(through: [7, 9, 9])
    #expect(mapped == histogram([7, 9, 9, 9]))
    #expect(histogram([3]).mapped(through: []) == histogram([3]))
  }

  @Test func partBelowALevel() {
    #expect(histogram([1, 2, 3]).samples(below: 3) == histogram([1, 2]))
    #expect(histogram([1, 2, 3]).samples(below: 0).total == 0)
  }
}
