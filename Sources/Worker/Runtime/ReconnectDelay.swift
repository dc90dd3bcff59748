/// When a server that failed is asked again: later after each failure, and not by everybody at once.
package struct ReconnectDelay: Sendable {
  /// The delay after the first failure, before jitter.
  package static let first = Duration.milliseconds(250)
  /// No delay is longer before jitter: a beat must come well within a lease after the server's return.
  package static let longest = Duration.seconds(4)

  private var failures = 0
  private var next: Duration?

  package init() {}

  /// The first moment at which the server may be asked; nil: at once.
  package var nextTry: Duration? { next }

  /// Whether the server may be asked at `now`, which is monotonic.
  package func mayTry(at now: Duration) -> Bool {
    guard let next else { return true }
    return now >= next
  }

  /// The server failed at `now`; `random` is uniform over all of `UInt64` and spreads the delay over
  /// 0.5 to 1.5 times its length.
  package mutating func fail(at now: Duration, random: UInt64) {
    let delay = min(Self.longest, Self.first * (1 << min(failures, 10)))
    failures += 1
    let permille = 500 + Int(random.multipliedFullWidth(by: 1_001).high)
    next = now + delay * permille / 1_000
  }

  /// The server answered.
  package mutating func succeed() {
    failures = 0
    next = nil
  }
}
