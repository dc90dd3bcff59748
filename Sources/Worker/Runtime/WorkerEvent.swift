package import JobModel

/// What a worker tells those who watch it.
package enum WorkerEvent: Sendable {
  /// It has an identity in the queue.
  case registered(WorkerID)
  case started(JobID, attempt: Int, input: FileLocation)
  case stage(JobID, String)
  case progress(JobID, Double)
  /// Outcome and results are committed.
  case completed(JobID, input: FileLocation, pixels: Int64)
  /// The failure is recorded; nil where somebody else had decided the job.
  case failed(JobID, input: FileLocation, JobFailure, RetryPolicy.Decision?)
  /// The attempt was given back.
  case released(JobID)
  case cancelled(JobID)
  /// Workers that were given up for dead.
  case buried([WorkerID])
  /// The leases could not be kept: everything is stopped.
  case leasesLost
  /// Batches wait for workers with these roots, which this one does not have; empty: no more.
  case rootsMissing([String])
  /// The database failed; the worker tries again.
  case databaseFailed(String)
  case draining
  case ended
}
