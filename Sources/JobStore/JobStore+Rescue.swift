internal import Diagnostics
package import JobModel
internal import PostgresClient

private let buryWorkers = SQLStatement(
  "worker.bury",
  "SELECT id FROM bury_workers($1, $2) AS id"
)

private let selectOrphans = SQLStatement(
  "lease.orphans",
  """
  SELECT job_id, attempt, token, worker_id, failures, crashes, host_faults, maximum_attempts,
    maximum_crashes, maximum_host_faults, base_delay_ms, maximum_delay_ms
  FROM orphaned_leases($1)
  """
)

private let releaseForgottenJobs = SQLStatement(
  "lease.forgotten",
  "SELECT job_id FROM release_forgotten($1, $2) AS job_id"
)

private let promoteJobs = SQLStatement("job.promote", "SELECT promote_jobs($1)")

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
      let result = try query(selectOrphans, [.int32(Int32(clamping: limit))])
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
    try withPartitions { () throws(JobStoreError) in
      try jobIDs(
        query(
          releaseForgottenJobs,
          [.int64(worker.rawValue), .uuidArray(leases.map { UUIDValue($0.token) })]
        )
      )
    }
  }

  /// Makes delayed jobs ready whose time has come, and gives their number.
  @discardableResult
  package func promote(limit: Int = 1_000) throws(JobStoreError) -> Int {
    let result = try query(promoteJobs, [.int32(Int32(clamping: limit))])
    return try wrapping { () throws(PostgresError) in try result[0].int(0) }
  }
}
