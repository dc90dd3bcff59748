package import JobModel

/// The farm at one moment.
package struct FarmSnapshot: Equatable, Sendable {
  package var batches: [BatchStatus]
  package var workers: [WorkerReport]
  package var running: [RunningJob]
  /// Hosts and roots of hosts that claim nothing for a time.
  package var setAside: [SetAside]
  /// The newest first.
  package var failures: [FailureLine]
  /// Microseconds since 1970-01-01 UTC.
  package var microseconds: Int64

  package init(
    batches: [BatchStatus] = [],
    workers: [WorkerReport] = [],
    running: [RunningJob] = [],
    setAside: [SetAside] = [],
    failures: [FailureLine] = [],
    microseconds: Int64 = 0
  ) {
    self.batches = batches
    self.workers = workers
    self.running = running
    self.setAside = setAside
    self.failures = failures
    self.microseconds = microseconds
  }

  /// Whether no batch has anything left to do.
  package var isOver: Bool { batches.allSatisfy(\.isOver) }
}
