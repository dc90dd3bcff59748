/// 128 random bits made by a claim: the right to decide a job's fate.
///
/// Whoever settles, releases or publishes a job names its token; a successor's claim has another.
package struct LeaseToken: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new token from `generator`.
  package static func random(using generator: inout some RandomNumberGenerator) -> LeaseToken {
    LeaseToken(high: generator.next(), low: generator.next())
  }
}
