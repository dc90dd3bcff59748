/// How often each level occurs among integer samples of up to 16 bits: exact, and enough for every
/// statistic that does not ask where a sample lies.
///
/// Levels outside `firstLevel ..< firstLevel + counts.count` do not occur; the first and the last
/// count are not zero.
package struct LevelHistogram: Equatable, Sendable {
  package let firstLevel: Int
  package let counts: [UInt32]

  /// Trims counts of the levels from 0.
  package init(counts: [UInt32]) {
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = counts.lastIndex { $0 > 0 } ?? -1
    firstLevel = first
    self.counts = first <= last ? Array(counts[first...last]) : []
  }

  /// The number of samples.
  package var total: Int { counts.reduce(0) { $0 + Int($1) } }

  /// The lowest level that occurs; nil without samples.
  package var minimum: Int? { counts.isEmpty ? nil : firstLevel }

  /// The highest level that occurs; nil without samples.
  package var maximum: Int? { counts.isEmpty ? nil : firstLevel + counts.count - 1 }

  /// The count of one level.
  package subscript(level: Int) -> Int {
    counts.indices.contains(level - firstLevel) ? Int(counts[level - firstLevel]) : 0
  }

  /// The number of samples at `level` or above.
  package func count(from level: Double) -> Int {
    var sum = 0
    for (index, count) in counts.enumerated() where Double(firstLevel + index) >= level {
      sum += Int(count)
    }
    return sum
  }

  /// The number of samples below `level`.
  package func count(below level: Double) -> Int { total - count(from: level) }

  /// The mean level; nil without samples.
  ///
  /// The sum is exact; it is rounded once, by the division.
  package var mean: Double? {
    let total = total
    return total > 0 ? Double(sums.first) / Double(total) : nil
  }

  /// The standard deviation of the samples themselves (divided by their number), from exact sums; nil
  /// without samples.
  package var standardDeviation: Double? {
    let total = UInt128(total)
    guard total > 0 else { return nil }
    let (first, second) = sums
    // N * sum of squares - square of sum, which loses nothing in integers.
    let spread = total * UInt128(second) - UInt128(first) * UInt128(first)
    return Double(spread).squareRoot() / Double(total)
  }

  /// The lowest level at or below which at least the share `fraction` (0 to 1) of the samples lies;
  /// nil without samples.
  package func percentile(_ fraction: Double) -> Int? {
    let total = total
    guard total > 0 else { return nil }
    let wanted = max(1, Int((fraction * Double(total)).rounded(.up)))
    var sum = 0
    for (index, count) in counts.enumerated() {
      sum += Int(count)
      if sum >= wanted { return firstLevel + index }
    }
    return maximum
  }

  /// The samples below `level`.
  package func samples(below level: Double) -> LevelHistogram {
    var kept = [UInt32](repeating: 0, count: firstLevel + counts.count)
    for (index, count) in counts.enumerated() where Double(firstLevel + index) < level {
      kept[firstLevel + index] = count
    }
    return LevelHistogram(counts: kept)
  }

  /// The histogram of the samples behind a table.
  ///
  /// Levels past its end take its last entry (LinearizationTable, DNG 1.7.1 chapter 5). An empty table
  /// changes nothing.
  package func mapped(through table: [UInt16]) -> LevelHistogram {
    guard let last = table.last else { return self }
    var mapped = [UInt32](repeating: 0, count: 65536)
    for (index, count) in counts.enumerated() {
      let level = firstLevel + index
      mapped[Int(level < table.count ? table[level] : last)] += count
    }
    return LevelHistogram(counts: mapped)
  }

  /// The sums of the levels and of their squares.
  private var sums: (first: UInt64, second: UInt64) {
    var first: UInt64 = 0
    var second: UInt64 = 0
    for (index, count) in counts.enumerated() {
      let level = UInt64(firstLevel + index)
      first += level * UInt64(count)
      second += level * level * UInt64(count)
    }
    return (first, second)
  }
}
