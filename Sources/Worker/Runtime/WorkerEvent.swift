package import JobModel
package import JobStore

/// What a worker tells those who watch it.
package enum WorkerEvent: Sendable {
  /// It has an identity in the queue.
  case registered(WorkerID)
  /// A claim was answered with so many jobs; how long that took, and what was settled with it.
  case claimed(Int, Duration)
  case started(ClaimedJob)
  case stage(JobID, String)
  case progress(JobID, Double)
  /// Outcome and results are committed.
  case completed(ClaimedJob, JobReport)
  /// The failure is recorded; nil where somebody else had decided the job.
  case failed(ClaimedJob, JobFailure, RetryPolicy.Decision?)
  /// The attempt was given back.
  case released(JobID)
  case cancelled(JobID)
  /// Workers that were given up for dead.
  case buried([WorkerID])
  /// The worker was given up for dead: everything is stopped.
  case leasesLost
  /// The database was not reached in time: what is rendered waits, nothing is published.
  case leasesInDoubt
  /// The database was reached again, and the worker still lives for it: work goes on.
  case leasesStand
  /// Batches wait for workers with these roots, which this one does not have; empty: no more.
  case rootsMissing([String])
  /// This host, or some of its roots, are set aside for a time: it claims nothing, or nothing with these;
  /// empty: no more.
  case setAside([SetAside])
  /// The database failed; the worker tries again.
  case databaseFailed(String)
  /// The schema was migrated beyond what this program knows: it claims no more.
  case outdated(JobStoreError)
  case draining
  case ended
}
