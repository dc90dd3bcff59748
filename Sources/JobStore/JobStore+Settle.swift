internal import Diagnostics
package import JobModel
internal import PostgresClient

private let failJobs = SQLStatement(
  "job.fail",
  "SELECT job_id FROM fail_jobs($1, $2, $3, $4, $5, $6, $7) AS job_id"
)

private let releaseJobs = SQLStatement(
  "job.release",
  "SELECT job_id FROM release_jobs($1, $2) AS job_id"
)

private let stopJobs = SQLStatement("job.stop", "SELECT job_id FROM stop_jobs($1, $2) AS job_id")

private let selectFarmMemory = SQLStatement("farm.memory", "SELECT farm_memory()")

private let selectEndings = SQLStatement(
  "attempt.endings",
  "SELECT job_id, ending, code FROM attempt_endings($1, $2)"
)

private let ensurePartitions = SQLStatement("partitions", "SELECT 1 FROM ensure_partitions(3)")

extension JobStore {
  /// An attempt that failed, and what becomes of its job.
  package struct FailedAttempt: Equatable, Sendable {
    package var lease: Lease
    package var failure: JobFailure
    package var decision: RetryPolicy.Decision
    /// Bytes that the job's next child must be allowed; 0: as many as before.
    package var memoryFloor: Int64

    /// A crash that is the last one says what it means: the job kills its worker.
    package init(
      lease: Lease,
      failure: JobFailure,
      decision: RetryPolicy.Decision,
      memoryFloor: Int64 = 0
    ) {
      self.lease = lease
      self.failure = failure
      self.decision = decision
      self.memoryFloor = memoryFloor
      if failure.failureClass == .crash, decision == .fail {
        self.failure.message = "the job kills its worker: \(failure.message)"
      }
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
    var failure = failure
    var decision = job.retryPolicy.decision(
      after: failure.failureClass,
      counts: job.counts.adding(failure.failureClass),
      random: generator.next()
    )
    var memoryFloor: Int64 = 0
    if let limit = failure.memoryLimit, decision != .fail {
      if let next = MemoryNeed.next(after: limit, most: try farmMemory()) {
        memoryFloor = next
      } else {
        decision = .fail
        failure.message += "; no worker of the farm can give it more"
      }
    }
    let attempt = FailedAttempt(
      lease: job.lease,
      failure: failure,
      decision: decision,
      memoryFloor: memoryFloor
    )
    if try !fail([attempt]).isEmpty { return decision }
    // Perhaps this very call was committed before, and its answer lost.
    let endings = try endings([job.lease])
    return endings.contains { $0.code == attempt.failure.code } ? decision : nil
  }

  /// The most memory that a worker can give to one child, in bytes; 0 where none lives.
  private func farmMemory() throws(JobStoreError) -> Int64 {
    let result = try query(selectFarmMemory)
    return try wrapping { () throws(PostgresError) in try result[0].int64(0) }
  }

  /// What became of attempts that ended without a result, by the queue's book.
  private func endings(
    _ leases: [Lease]
  ) throws(JobStoreError) -> [(job: JobID, ending: Int, code: ErrorCode?)] {
    let result = try query(
      selectEndings,
      [
        .int64Array(leases.map(\.job.rawValue)),
        .int32Array(leases.map { Int32(clamping: $0.attempt) }),
      ]
    )
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        (
          JobID(rawValue: try row.int64(0)), try row.int(1),
          try row.optionalText(2).map { ErrorCode(rawValue: $0) }
        )
      }
    }
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
            .int64Array(attempts.map(\.memoryFloor)),
          ]
        )
      )
    }
  }

  /// Gives jobs back without spending an attempt, and gives those for which this took effect; a repetition
  /// after a lost connection gives those of the first call.
  @discardableResult
  package func release(_ leases: [Lease]) throws(JobStoreError) -> Set<JobID> {
    guard !leases.isEmpty else { return [] }
    let released = try withPartitions { () throws(JobStoreError) in
      try jobIDs(query(releaseJobs, leaseParameters(leases)))
    }
    let missing = leases.filter { !released.contains($0.job) }
    if missing.isEmpty { return released }
    return released.union(try endings(missing).filter { $0.ending == 3 }.map(\.job))
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
