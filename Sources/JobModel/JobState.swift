/// Where a job stands.
package enum JobState: Hashable, Sendable {
  /// A worker may claim it.
  case ready
  /// It waits for a time: the delay before the next attempt.
  case delayed
  /// A worker holds its lease.
  case running
  case ended(Outcome)

  /// Every state.
  package static let all: [JobState] =
    [.ready, .delayed, .running] + Outcome.allCases.map { .ended($0) }

  /// Whether it may still run.
  package var isLive: Bool {
    if case .ended = self { false } else { true }
  }
}
