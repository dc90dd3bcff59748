/// How many jobs the transactions of a steering command take: few at first, then as many as take a fifth of a
/// second, so that somebody who waits for the answer has it soon, on a farm that is idle as on one under load.
package struct SlicePace: Equatable, Sendable {
  /// What one transaction may take; others wait so long for its locks.
  private static let target = Duration.milliseconds(200)
  /// Transactions at half the target or less grow fourfold at most: one quick one says little.
  private static let growth = 4.0
  private static let range = 100.0...10_000.0

  /// Jobs of the next transaction, 100 to 10,000.
  package private(set) var count: Int64 = 500

  package init() {}

  /// Learns what a transaction of `count` jobs took.
  package mutating func took(_ elapsed: Duration) {
    let ratio = Self.target / max(elapsed, .milliseconds(1))
    let wish = Double(count) * min(ratio, Self.growth)
    count = Int64(min(max(wish, Self.range.lowerBound), Self.range.upperBound))
  }
}
