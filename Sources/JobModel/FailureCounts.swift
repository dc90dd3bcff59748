/// How often a job failed so far, by what the failure says about it.
package struct FailureCounts: Equatable, Sendable {
  /// Transient and resource failures.
  package var failures: Int
  /// Deaths of the process or worker that worked on it.
  package var crashes: Int
  /// Faults of a host; they spend no attempt.
  package var hostFaults: Int

  package init(failures: Int = 0, crashes: Int = 0, hostFaults: Int = 0) {
    self.failures = failures
    self.crashes = crashes
    self.hostFaults = hostFaults
  }

  /// The counts with one failure more.
  package func adding(_ failure: FailureClass) -> FailureCounts {
    var counts = self
    switch failure {
    case .permanent, .transient, .resource: counts.failures += 1
    case .crash: counts.crashes += 1
    case .hostFault: counts.hostFaults += 1
    }
    return counts
  }
}
