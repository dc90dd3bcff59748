internal import FileSystem
internal import Glibc

/// Waiting for another process, whose state can only be asked for.
package enum Polling {
  /// Asks again and again, 20 ms apart, until the answer is yes.
  ///
  /// - Returns: Whether that happened before the deadline.
  package static func wait(
    upTo limit: Duration,
    until condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = SystemInformation.monotonicTime + limit
    while true {
      if try condition() { return true }
      if SystemInformation.monotonicTime >= end { return false }
      usleep(20_000)
    }
  }
}
