/// A worker that is not dead, as reports list it.
package struct WorkerReport: Equatable, Sendable {
  package var id: WorkerID
  package var host: String
  package var processID: Int32
  package var state: WorkerState
  package var slots: Int
  package var threads: Int
  package var version: String
  /// Since its last heartbeat, by the database's clock.
  package var secondsSinceBeat: Double

  package init(
    id: WorkerID,
    host: String,
    processID: Int32,
    state: WorkerState,
    slots: Int,
    threads: Int,
    version: String,
    secondsSinceBeat: Double
  ) {
    self.id = id
    self.host = host
    self.processID = processID
    self.state = state
    self.slots = slots
    self.threads = threads
    self.version = version
    self.secondsSinceBeat = secondsSinceBeat
  }
}
