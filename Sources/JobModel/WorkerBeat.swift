/// A worker and its last beat, as another process sees them.
package struct WorkerBeat: Equatable, Sendable {
  package var worker: WorkerID
  /// Counts the worker's heartbeats.
  package var beat: Int64

  package init(worker: WorkerID, beat: Int64) {
    self.worker = worker
    self.beat = beat
  }
}
