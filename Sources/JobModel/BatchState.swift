/// Where a batch stands.
package enum BatchState: Int16, CaseIterable, Sendable {
  /// Its jobs are claimed.
  case open = 0
  /// Its running jobs finish; no other is claimed.
  case paused = 1
  /// Its waiting jobs are cancelled, its running jobs are stopped.
  case cancelled = 2
  /// Every job of it has ended.
  case finished = 3
}
