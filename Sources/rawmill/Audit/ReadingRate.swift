internal import FileSystem
internal import Glibc

/// Holds reading to a rate, so that an audit leaves a share to those who work on it.
struct ReadingRate {
  /// Bytes a second; nil: no limit.
  private let limit: Int64?
  private let begin = SystemInformation.monotonicTime
  private var count: Int64 = 0

  init(limit: Int64?) {
    self.limit = limit
  }

  /// Waits until so many bytes more are within the rate since the beginning.
  mutating func add(_ bytes: Int) {
    guard let limit, limit > 0 else { return }
    count += Int64(bytes)
    let due = begin + .nanoseconds(Int64(Double(count) / Double(limit) * 1e9))
    let wait = due - SystemInformation.monotonicTime
    if wait > .zero { usleep(UInt32(min(wait / .microseconds(1), 1e8))) }
  }
}
