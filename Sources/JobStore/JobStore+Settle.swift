internal import Diagnostics
package import JobModel
package import PostgresClient

/// Ends attempts without a result; a job without a delay has failed for good.
///
/// A job of a batch that was cancelled ends as cancelled where it would wait.
package let failJobs = SQLStatement(
  "job.fail",
  """
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::smallint[], $4::text[], $5::text[],
      $6::bigint[]) AS g (job_id, token, class, code, message, delay_ms)
  ), \(freedLeases), decided AS MATERIALIZED (
    SELECT f.*,
      CASE WHEN f.delay_ms IS NULL THEN 2 WHEN b.state = 2 THEN 3 END::smallint AS outcome
    FROM freed f JOIN job j ON j.id = f.job_id JOIN batch b ON b.id = j.batch_id
  ), ended AS (
    UPDATE job j SET
      failures = failures + (d.class IN (1, 2, 3))::int,
      host_faults = host_faults + (d.class = 4)::int,
      crashes = crashes + (d.class = 5)::int,
      outcome = d.outcome,
      finished_at = CASE WHEN d.outcome IS NOT NULL THEN clock_timestamp() END,
      run_at = CASE WHEN d.outcome IS NULL
        THEN clock_timestamp() + make_interval(secs => d.delay_ms / 1000.0) END
    FROM decided d WHERE j.id = d.job_id
    RETURNING j.batch_id, d.*
  ), remembered AS (
    INSERT INTO attempt (job_id, attempt, batch_id, worker_id, claimed_at, ending, class, code, message)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at,
      CASE outcome WHEN 2 THEN 2 WHEN 3 THEN 4 ELSE 1 END, class, code, message
    FROM ended
  ), listed AS (
    INSERT INTO failure (job_id, batch_id, attempt, class, code, message)
    SELECT job_id, batch_id, attempt, class, code, message FROM ended WHERE outcome = 2
    ON CONFLICT (job_id) DO UPDATE SET batch_id = excluded.batch_id, attempt = excluded.attempt,
      class = excluded.class, code = excluded.code, message = excluded.message,
      failed_at = excluded.failed_at
  ), tallied AS (
    INSERT INTO tally (batch_id, failed, cancelled)
    SELECT batch_id, count(*) FILTER (WHERE outcome = 2), count(*) FILTER (WHERE outcome = 3)
    FROM ended WHERE outcome IS NOT NULL GROUP BY batch_id
  )
  SELECT job_id FROM ended
  """
)

/// Gives jobs back unspent: ready at once, unless their batch was cancelled.
package let releaseJobs = SQLStatement(
  "job.release",
  """
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::uuid[]) AS g (job_id, token)
  ), \(freedLeases), decided AS MATERIALIZED (
    SELECT f.*, b.state = 2 AS is_cancelled
    FROM freed f JOIN job j ON j.id = f.job_id JOIN batch b ON b.id = j.batch_id
  ), ended AS (
    UPDATE job j SET
      ready = NOT d.is_cancelled,
      outcome = CASE WHEN d.is_cancelled THEN 3 END,
      finished_at = CASE WHEN d.is_cancelled THEN clock_timestamp() END
    FROM decided d WHERE j.id = d.job_id
    RETURNING j.batch_id, d.*
  ), remembered AS (
    INSERT INTO attempt (job_id, attempt, batch_id, worker_id, claimed_at, ending)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at, 3 FROM ended
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled)
    SELECT batch_id, count(*) FROM ended WHERE is_cancelled GROUP BY batch_id
  ), hinted AS (
    UPDATE batch SET has_ready = true
    WHERE id = ANY (ARRAY(SELECT DISTINCT batch_id FROM ended WHERE NOT is_cancelled))
  )
  SELECT job_id FROM ended
  """
)

/// Ends running jobs that were told to stop.
private let stopJobs = SQLStatement(
  "job.stop",
  """
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::uuid[]) AS g (job_id, token)
  ), \(freedLeases), ended AS (
    UPDATE job j SET outcome = 3, finished_at = clock_timestamp()
    FROM freed f WHERE j.id = f.job_id
    RETURNING j.batch_id, f.*
  ), remembered AS (
    INSERT INTO attempt (job_id, attempt, batch_id, worker_id, claimed_at, ending)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at, 4 FROM ended
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled) SELECT batch_id, count(*) FROM ended GROUP BY batch_id
  )
  SELECT job_id FROM ended
  """
)

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
