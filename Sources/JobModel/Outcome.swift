/// How a job ended; a job without one is live.
package enum Outcome: Int16, CaseIterable, Sendable {
  /// Every output is published and recorded.
  case done = 1
  /// It can't be done, or was tried too often.
  case failed = 2
  /// Its batch was cancelled.
  case cancelled = 3
  /// There was nothing to do: another batch had done the same work.
  case skipped = 4
}
