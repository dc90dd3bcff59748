internal import Diagnostics
package import JobModel
internal import PostgresClient

private let failJobs = SQLStatement(
  "job.fail",
  "SELECT job_id FROM fail_jobs($1, $2, $3, $4, $5, $6) AS job_id"
)

private let releaseJobs = SQLStatement(
  "job.release",
  "SELECT job_id FROM release_jobs($1, $2) AS job_id"
)

private let stopJobs = SQLStatement("job.stop", "SELECT job_id FROM stop_jobs($1, $2) AS job_id")

private let ensurePartitions = SQLStatement("partitions", "SELECT 1 FROM ensure_partitions(3)")

extension JobStore {
  /// An attempt that failed, and what becomes of its job.
  package struct FailedAttempt: Equatable, Sendable {
    package var lease: Lease
    package var failure: JobFailure
    package var decision: RetryPolicy.Decision

    package init(lease: Lease, failure: JobFailure, decision: RetryPolicy.Decision) {
      self.lease = lease
      self.failure = failure
      self.decision = decision
    }
  }

  /// Ends a claimed job's attempt as failed, by the policy of its batch.
  ///
  /// The decision is nil if the lease was lost: somebody else decides.
  @discardableResult
  package func fail(
    _ job: ClaimedJob,
    _ failure: JobFailure
  ) throws(JobStoreError) -> RetryPolicy.Decision? {
    let decision = job.retryPolicy.decision(
      after: failure.failureClass,
      counts: job.counts.adding(failure.failureClass),
      random: generator.next()
    )
    let attempt = FailedAttempt(lease: job.lease, failure: failure, decision: decision)
    return try fail([attempt]).isEmpty ? nil : decision
  }

  /// Ends attempts as failed, and gives the jobs for which this took effect.
  @discardableResult
  package func fail(_ attempts: [FailedAttempt]) throws(JobStoreError) -> Set<JobID> {
    guard !attempts.isEmpty else { return [] }
    return try withPartitions { () throws(JobStoreError) in
      try jobIDs(
        query(
          failJobs,
          leaseParameters(attempts.map(\.lease)) + [
            .int16Array(attempts.map(\.failure.failureClass.rawValue)),
            .textArray(attempts.map { databaseText($0.failure.code.rawValue) }),
            .textArray(attempts.map { databaseText($0.failure.message) }),
            .int64Array(attempts.map(\.decision.delayMilliseconds)),
          ]
        )
      )
    }
  }

  /// Gives jobs back without spending an attempt, and gives those for which this took effect.
  @discardableResult
  package func release(_ leases: [Lease]) throws(JobStoreError) -> Set<JobID> {
    guard !leases.isEmpty else { return [] }
    return try withPartitions { () throws(JobStoreError) in
      try jobIDs(query(releaseJobs, leaseParameters(leases)))
    }
  }

  /// Ends running jobs of cancelled batches, and gives those for which this took effect.
  @discardableResult
  package func stop(_ leases: [Lease]) throws(JobStoreError) -> Set<JobID> {
    guard !leases.isEmpty else { return [] }
    return try withPartitions { () throws(JobStoreError) in
      try jobIDs(query(stopJobs, leaseParameters(leases)))
    }
  }

  private func leaseParameters(_ leases: [Lease]) -> [PostgresParameter] {
    [.int64Array(leases.map(\.job.rawValue)), .uuidArray(leases.map { UUIDValue($0.token) })]
  }

  /// Runs `body` in a transaction, once more if this month's partition was missing.
  ///
  /// Partitions are made months ahead whenever a worker starts; only a worker that ran all these
  /// months, alone, comes here.
  func withPartitions<Value>(
    _ body: () throws(JobStoreError) -> Value
  ) throws(JobStoreError) -> Value {
    do throws(JobStoreError) {
      return try transaction(body)
    } catch {
      guard case .postgres(let cause) = error, cause.isMissingPartition,
        !connection.isInTransaction
      else { throw error }
      try preparePartitions()
      return try transaction(body)
    }
  }

  /// Makes the month partitions of this month and the next three; every worker does so at its start.
  package func preparePartitions() throws(JobStoreError) {
    try query(ensurePartitions)
  }
}

extension RetryPolicy.Decision {
  fileprivate var delayMilliseconds: Int64? {
    switch self {
    case .retry(let milliseconds): milliseconds
    case .fail: nil
    }
  }
}

extension PostgresError {
  /// A row for which a partitioned table has no partition is a check violation without a constraint.
  fileprivate var isMissingPartition: Bool {
    guard case .server(let error) = self else { return false }
    return error.state == .checkViolation && error.constraint == nil
  }
}
