package import JobModel

/// A failure with its batch and time.
package struct FailureLine: Equatable, Sendable {
  package var job: FailedJob
  package var batch: BatchID
  /// Microseconds since 1970-01-01 UTC.
  package var microseconds: Int64

  package init(job: FailedJob, batch: BatchID, microseconds: Int64) {
    self.job = job
    self.batch = batch
    self.microseconds = microseconds
  }
}
