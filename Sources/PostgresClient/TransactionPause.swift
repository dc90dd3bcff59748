internal import Glibc

/// The wait before a transaction is run again.
package enum TransactionPause {
  /// Waits 5 ms x 2^attempt, at most 500 ms, times 0.5 to 1.5 at random, so that two that met in a
  /// deadlock don't meet again.
  package static func wait(attempt: Int) {
    let base = min(500_000, 5_000 << min(max(attempt, 0), 7))
    _ = usleep(UInt32(base / 2 + Int.random(in: 0...base)))
  }
}
