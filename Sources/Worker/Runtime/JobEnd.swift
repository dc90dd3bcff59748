package import JobModel

/// How a slot's work on a job ended.
package enum JobEnd: Sendable {
  /// Every output is published: to be committed.
  case completed(JobReport)
  /// To be recorded, and retried or not by the job's policy.
  case failed(JobFailure)
  /// It was stopped before anything was published, or its lease was lost on the way.
  case interrupted
  /// This process can't go on: the job is given back, the worker drains.
  case workerUnfit(JobFailure)
}
