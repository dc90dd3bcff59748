package import JobModel

/// What is to be written to the queue about a job that this worker held.
package enum Settlement: Sendable {
  case complete(ClaimedJob, JobReport)
  case fail(ClaimedJob, JobFailure)
  /// The attempt is given back.
  case release(ClaimedJob)
  /// The job's batch was cancelled.
  case stop(ClaimedJob)

  package var job: ClaimedJob {
    switch self {
    case .complete(let job, _), .fail(let job, _), .release(let job), .stop(let job): job
    }
  }
}
