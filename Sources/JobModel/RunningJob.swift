/// A job that runs, as reports list it.
package struct RunningJob: Equatable, Sendable {
  package var id: JobID
  package var batch: BatchID
  package var worker: WorkerID
  package var attempt: Int
  /// Microseconds since 1970-01-01 UTC.
  package var claimedMicroseconds: Int64
  package var input: FileLocation

  package init(
    id: JobID,
    batch: BatchID,
    worker: WorkerID,
    attempt: Int,
    claimedMicroseconds: Int64,
    input: FileLocation
  ) {
    self.id = id
    self.batch = batch
    self.worker = worker
    self.attempt = attempt
    self.claimedMicroseconds = claimedMicroseconds
    self.input = input
  }
}
