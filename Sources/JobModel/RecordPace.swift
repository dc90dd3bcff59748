/// When work that is recorded in groups is to be recorded: after so many files, so many bytes or so long a
/// time, whichever is first, so that an interruption costs no more of it than that.
package struct RecordPace: Sendable {
  private let files: Int
  private let bytes: Int64
  private let interval: Duration
  private var begin: Duration
  private var fileCount = 0
  private var byteCount: Int64 = 0

  /// `now` is the time on a clock that only goes forward; the first group begins then.
  package init(
    files: Int = 100,
    bytes: Int64 = 100_000_000,
    interval: Duration = .seconds(5),
    now: Duration
  ) {
    self.files = files
    self.bytes = bytes
    self.interval = interval
    begin = now
  }

  /// Takes one more file, of so many bytes of work, into the group; whether the group ends with it, and the
  /// next one begins.
  package mutating func endsGroup(afterFileOf bytes: Int64, now: Duration) -> Bool {
    fileCount += 1
    byteCount += bytes
    guard fileCount >= files || byteCount >= self.bytes || now - begin >= interval else {
      return false
    }
    self = RecordPace(files: files, bytes: self.bytes, interval: interval, now: now)
    return true
  }
}
