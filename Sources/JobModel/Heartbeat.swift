/// What a worker learns from its heartbeat.
package struct Heartbeat: Equatable, Sendable {
  /// `dead`: it was given up for lost; it must stop everything and register anew.
  package var state: WorkerState
  /// Of the leases that it named: those whose batch was cancelled; stop these jobs.
  package var cancelled: [JobID]
  /// Of the leases that it named: those that are not its own any more; throw the work away.
  package var lost: [JobID]

  package init(state: WorkerState, cancelled: [JobID] = [], lost: [JobID] = []) {
    self.state = state
    self.cancelled = cancelled
    self.lost = lost
  }
}
