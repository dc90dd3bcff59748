internal import Diagnostics
package import JobModel
internal import PostgresClient

/// A beat that moved since it was looked at proves life.
private let buryWorkers = SQLStatement(
  "worker.bury",
  """
  UPDATE worker w SET state = 2, ended_at = clock_timestamp()
  FROM unnest($1::bigint[], $2::bigint[]) AS g (id, beat)
  WHERE w.id = g.id AND w.beat = g.beat AND w.state < 2
  RETURNING w.id
  """
)

/// Leases of workers that are dead, or of which there is no row any more.
private let selectOrphans = SQLStatement(
  "lease.orphans",
  """
  SELECT l.job_id, l.attempt, l.token, l.worker_id, j.failures, j.crashes, j.host_faults,
    \(RetryPolicy.columns)
  FROM lease l JOIN job j ON j.id = l.job_id JOIN batch b ON b.id = j.batch_id
  WHERE NOT EXISTS (SELECT FROM worker w WHERE w.id = l.worker_id AND w.state < 2)
  ORDER BY l.job_id LIMIT $1
  FOR UPDATE OF l SKIP LOCKED
  """
)

private let selectForgotten = SQLStatement(
  "lease.forgotten",
  """
  SELECT l.job_id, l.attempt, l.token FROM lease l
  WHERE l.worker_id = $1 AND NOT (l.token = ANY ($2::uuid[])) ORDER BY l.job_id
  """
)

/// `statement_timestamp()` and not `clock_timestamp()`: only a stable function bounds an index scan.
private let promoteJobs = SQLStatement(
  "job.promote",
  """
  WITH due AS MATERIALIZED (
    SELECT id FROM job WHERE run_at <= statement_timestamp() ORDER BY run_at
    LIMIT $1 FOR UPDATE SKIP LOCKED
  ), decided AS MATERIALIZED (
    SELECT j.id, b.state = 2 AS is_cancelled
    FROM job j JOIN batch b ON b.id = j.batch_id WHERE j.id = ANY (ARRAY(SELECT id FROM due))
  ), ended AS (
    UPDATE job j SET
      run_at = NULL,
      ready = NOT d.is_cancelled,
      outcome = CASE WHEN d.is_cancelled THEN 3 END,
      finished_at = CASE WHEN d.is_cancelled THEN clock_timestamp() END
    FROM decided d WHERE j.id = d.id
    RETURNING j.id, j.batch_id, d.is_cancelled
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled)
    SELECT batch_id, count(*) FROM ended WHERE is_cancelled GROUP BY batch_id
  ), hinted AS (
    -- Always, so that the row is locked against the clearing of the hint.
    UPDATE batch SET has_ready = true
    WHERE id = ANY (ARRAY(SELECT DISTINCT batch_id FROM ended WHERE NOT is_cancelled))
  )
  SELECT id FROM ended
  """
)

extension JobStore {
  /// Declares workers dead whose beat is still the one given, and gives those.
  @discardableResult
  package func bury(_ workers: [WorkerBeat]) throws(JobStoreError) -> [WorkerID] {
    guard !workers.isEmpty else { return [] }
    let result = try query(
      buryWorkers,
      [
        .int64Array(workers.map(\.worker.rawValue)), .int64Array(workers.map(\.beat)),
      ]
    )
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in WorkerID(rawValue: try row.int64(0)) }
    }
  }

  /// Takes the jobs of dead workers back, as crashed, and gives them; any process may do it at any
  /// time.
  @discardableResult
  package func rescue(limit: Int = 1_000) throws(JobStoreError) -> Set<JobID> {
    try withPartitions { () throws(JobStoreError) in
      let result = try query(selectOrphans, [.int64(Int64(limit))])
      var attempts: [FailedAttempt] = []
      for index in 0..<result.rowCount {
        let row = result[index]
        let random = generator.next()
        let attempt = try wrapping { () throws(PostgresError) in
          let lease = Lease(
            job: JobID(rawValue: try row.int64(0)),
            attempt: try row.int(1),
            token: LeaseToken(try row.uuid(2))
          )
          let decision = try row.retryPolicy(7).decision(
            after: .crash,
            counts: try row.failureCounts(4).adding(.crash),
            random: random
          )
          return FailedAttempt(
            lease: lease,
            failure: JobFailure(
              failureClass: .crash,
              code: "workerLost",
              message: "worker \(try row.int64(3)), which had the job, was lost"
            ),
            decision: decision
          )
        }
        attempts.append(attempt)
      }
      return try fail(attempts)
    }
  }

  /// Gives back the leases of a worker that it does not know of, and gives their jobs.
  ///
  /// A claim whose answer was lost with the connection may have been committed: such jobs would run,
  /// by the queue's book, for as long as the worker lives. To be called between claims, with every lease
  /// that the worker still has to settle.
  @discardableResult
  package func releaseForgotten(
    _ worker: WorkerID,
    holding leases: [Lease]
  ) throws(JobStoreError) -> Set<JobID> {
    let result = try query(
      selectForgotten,
      [.int64(worker.rawValue), .uuidArray(leases.map { UUIDValue($0.token) })]
    )
    let forgotten = try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        Lease(
          job: JobID(rawValue: try row.int64(0)),
          attempt: try row.int(1),
          token: LeaseToken(try row.uuid(2))
        )
      }
    }
    return try release(forgotten)
  }

  /// Makes delayed jobs ready whose time has come, and gives their number.
  @discardableResult
  package func promote(limit: Int = 1_000) throws(JobStoreError) -> Int {
    try query(promoteJobs, [.int64(Int64(limit))]).rowCount
  }
}
