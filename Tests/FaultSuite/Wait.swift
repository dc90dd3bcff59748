internal import FileSystem
internal import Glibc

/// Waiting for what can only be asked for.
enum Wait {
  /// Asks 20 ms apart until the answer is yes.
  ///
  /// - Throws: `timedOut` after `limit`.
  static func until(
    _ what: String,
    limit: Duration = .seconds(60),
    _ condition: () throws -> Bool
  ) throws {
    let end = SystemInformation.monotonicTime + limit
    while try !condition() {
      guard SystemInformation.monotonicTime < end else { throw SuiteError.timedOut(what) }
      pause(.milliseconds(20))
    }
  }

  static func pause(_ duration: Duration) {
    usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
  }
}
