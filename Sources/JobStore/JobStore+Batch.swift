package import Diagnostics
package import JobModel
internal import PostgresClient

private let createBatchStatement = SQLStatement(
  "batch.create",
  "SELECT create_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
)

private let sealBatch = SQLStatement("batch.seal", "SELECT seal_batch($1)")

private let beatSubmissionStatement = SQLStatement("batch.beat", "SELECT beat_submission($1)")

/// Batches `b` that `source` gives, with their progress.
private func selectBatches(from source: String) -> String {
  """
  SELECT b.id, b.name, b.owner, b.state, b.sealed, b.priority, b.total, b.created_at, b.finished_at,
    coalesce(p.done, 0) + t.done, coalesce(p.failed, 0) + t.failed,
    coalesce(p.cancelled, 0) + t.cancelled, coalesce(p.skipped, 0) + t.skipped,
    coalesce(p.pixels, 0) + t.pixels, coalesce(p.input_bytes, 0) + t.input_bytes,
    coalesce(p.output_bytes, 0) + t.output_bytes, b.pause_reason, b.paused_by, b.weight,
    b.maximum_running, CASE WHEN a.state <> 3 THEN a.id END, a.state = 2
  FROM \(source) b LEFT JOIN progress p ON p.batch_id = b.id
  LEFT JOIN batch a ON a.id = b.after_batch CROSS JOIN LATERAL (
    SELECT coalesce(sum(done), 0)::bigint AS done, coalesce(sum(failed), 0)::bigint AS failed,
      coalesce(sum(cancelled), 0)::bigint AS cancelled,
      coalesce(sum(skipped), 0)::bigint AS skipped, coalesce(sum(pixels), 0)::bigint AS pixels,
      coalesce(sum(input_bytes), 0)::bigint AS input_bytes,
      coalesce(sum(output_bytes), 0)::bigint AS output_bytes
    FROM tally WHERE batch_id = b.id
  ) t
  """
}

private let selectBatch = SQLStatement(
  "batch.select",
  selectBatches(from: "batch") + " WHERE b.id = $1"
)

/// Batches are chosen before their progress is summed up: a farm of years has thousands.
private let selectRecentBatches = SQLStatement(
  "batch.list",
  selectBatches(
    from: """
      (
        (SELECT * FROM batch WHERE finished_at IS NULL ORDER BY id DESC LIMIT $1)
        UNION ALL
        (SELECT * FROM batch WHERE finished_at IS NOT NULL AND total > 0 ORDER BY id DESC LIMIT $1)
        LIMIT $1
      )
      """
  ) + " ORDER BY b.finished_at IS NOT NULL, b.id DESC"
)

private let selectFailures = SQLStatement(
  "failure.list",
  """
  SELECT f.job_id, f.attempt, f.class, f.code, f.message, j.input_root, j.input_path
  FROM failure f JOIN job j ON j.id = f.job_id
  WHERE f.batch_id = $1 AND f.job_id > $2 ORDER BY f.job_id LIMIT $3
  """
)

private let selectFailuresOfJobs = SQLStatement(
  "failure.ofJobs",
  """
  SELECT f.job_id, f.attempt, f.class, f.code, f.message, j.input_root, j.input_path
  FROM failure f JOIN job j ON j.id = f.job_id WHERE f.job_id = ANY ($1) ORDER BY f.job_id
  """
)

private let selectFailureCounts = SQLStatement(
  "failure.counts",
  "SELECT code, count(*) FROM failure WHERE batch_id = $1 GROUP BY code ORDER BY 2 DESC, 1"
)

private let selectOutputs = SQLStatement(
  "output.list",
  """
  SELECT \(OutputRecord.columns), o.job_id
  FROM job j JOIN output o ON o.job_id = j.id
  WHERE j.batch_id = $1 AND j.id > $2 AND o.published_at IS NOT NULL
  ORDER BY j.id, o.output_id LIMIT $3
  """
)

private let selectRunning = SQLStatement(
  "lease.list",
  """
  SELECT l.job_id, l.worker_id, l.attempt, l.claimed_at, j.batch_id, j.input_root, j.input_path
  FROM lease l JOIN job j ON j.id = l.job_id ORDER BY l.claimed_at, l.job_id LIMIT $1
  """
)

/// Jobs of one question about failures.
private let failureSlice = 5_000

extension JobStore {
  /// Makes a batch; its jobs may be claimed while it is still being submitted.
  ///
  /// A submitter that neither submits, nor beats, nor seals the batch for 30 s is taken for dead: the batch
  /// is sealed with what it has, and opens again with the next jobs that its submitter submits.
  ///
  /// - Throws: `batchMissing` if there is no batch that it is to wait for, `predecessorCancelled` if that
  ///   never finishes.
  package func createBatch(_ batch: BatchSpecification) throws(JobStoreError) -> BatchID {
    if let after = batch.after, try self.batch(after).state == .cancelled {
      throw .predecessorCancelled(after)
    }
    let policy = batch.retryPolicy
    let result = try query(
      createBatchStatement,
      [
        .text(databaseText(batch.name)), .text(databaseText(batch.owner)),
        .int16(Int16(clamping: batch.priority)), .double(batch.weight),
        .int32(Int32(clamping: batch.agingSeconds)),
        .int16(Int16(clamping: policy.maximumAttempts)),
        .int16(Int16(clamping: policy.maximumCrashes)),
        .optional(policy.maximumHostFaults.map { Int32(clamping: $0) }),
        .int64(policy.baseDelayMilliseconds), .int64(policy.maximumDelayMilliseconds),
        .optional(batch.maximumRunning.map { Int32(clamping: $0) }),
        .optional(batch.after?.rawValue),
      ]
    )
    return try wrapping { () throws(PostgresError) in BatchID(rawValue: try result[0].int64(0)) }
  }

  /// Says that the submitter of a batch lives, between jobs that are more than a few seconds apart.
  package func beatSubmission(_ batch: BatchID) throws(JobStoreError) {
    guard try isTrue(query(beatSubmissionStatement, [.int64(batch.rawValue)])) else {
      throw .batchMissing(batch)
    }
  }

  /// Ends a batch's submission: it is finished when its jobs are.
  package func seal(_ batch: BatchID) throws(JobStoreError) {
    guard try isTrue(query(sealBatch, [.int64(batch.rawValue)])) else { throw .batchMissing(batch) }
  }

  /// A batch with its progress, exact at this moment.
  package func batch(_ id: BatchID) throws(JobStoreError) -> Batch {
    let result = try query(selectBatch, [.int64(id.rawValue)])
    try requireRow(result, id)
    return try wrapping { () throws(PostgresError) in try result[0].batch() }
  }

  /// Batches, those that are not finished first, then the newest; without those that have ended with no
  /// jobs, or whose jobs all went to later ones.
  package func batches(limit: Int = 100) throws(JobStoreError) -> [Batch] {
    let result = try query(selectRecentBatches, [.int64(Int64(limit))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in try row.batch() }
    }
  }

  /// The one value of a function that answers yes or no.
  func isTrue(_ result: PostgresResult) throws(JobStoreError) -> Bool {
    try wrapping { () throws(PostgresError) in try result[0].bool(0) }
  }

  /// The failed jobs of a batch after the job `after`, in order.
  package func failures(
    of batch: BatchID,
    after: JobID? = nil,
    limit: Int = 1_000
  ) throws(JobStoreError) -> [FailedJob] {
    let result = try query(
      selectFailures,
      [.int64(batch.rawValue), .int64(after?.rawValue ?? 0), .int64(Int64(limit))]
    )
    return try failedJobs(result)
  }

  /// Those of some jobs that have failed, in order; a job that is done again has not.
  package func failures(ofJobs jobs: [JobID]) throws(JobStoreError) -> [FailedJob] {
    var failed: [FailedJob] = []
    for start in stride(from: 0, to: jobs.count, by: failureSlice) {
      let slice = jobs[start..<min(jobs.count, start + failureSlice)]
      failed += try failedJobs(query(selectFailuresOfJobs, [.int64Array(slice.map(\.rawValue))]))
    }
    return failed
  }

  func failedJobs(_ result: PostgresResult) throws(JobStoreError) -> [FailedJob] {
    try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        FailedJob(
          id: JobID(rawValue: try row.int64(0)),
          input: try row.location(5),
          attempt: try row.int(1),
          failure: JobFailure(
            failureClass: FailureClass(rawValue: Int16(clamping: try row.int(2))) ?? .permanent,
            code: ErrorCode(rawValue: try row.text(3)),
            message: try row.text(4)
          )
        )
      }
    }
  }

  /// How many jobs of a batch failed for which reason, the most frequent first.
  package func failureCounts(
    of batch: BatchID
  ) throws(JobStoreError) -> [(code: ErrorCode, count: Int)] {
    let result = try query(selectFailureCounts, [.int64(batch.rawValue)])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        (ErrorCode(rawValue: try row.text(0)), try row.int(1))
      }
    }
  }

  /// The published outputs of a batch's jobs after the job `after`, in order of jobs.
  ///
  /// The outputs of the last job may be cut by the limit.
  package func outputs(
    of batch: BatchID,
    after: JobID? = nil,
    limit: Int = 1_000
  ) throws(JobStoreError) -> [(job: JobID, output: OutputRecord)] {
    let result = try query(
      selectOutputs,
      [.int64(batch.rawValue), .int64(after?.rawValue ?? 0), .int64(Int64(limit))]
    )
    var outputs: [(job: JobID, output: OutputRecord)] = []
    for index in 0..<result.rowCount {
      let job = try wrapping { () throws(PostgresError) in try result[index].int64(10) }
      outputs.append((JobID(rawValue: job), try result[index].outputRecord(0)))
    }
    return outputs
  }

  /// The jobs that run, the longest running first.
  package func running(limit: Int = 1_000) throws(JobStoreError) -> [RunningJob] {
    let result = try query(selectRunning, [.int64(Int64(limit))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        RunningJob(
          id: JobID(rawValue: try row.int64(0)),
          batch: BatchID(rawValue: try row.int64(4)),
          worker: WorkerID(rawValue: try row.int64(1)),
          attempt: try row.int(2),
          claimedMicroseconds: try row.timestamp(3),
          input: try row.location(5)
        )
      }
    }
  }

  func requireRow(_ result: PostgresResult, _ batch: BatchID) throws(JobStoreError) {
    guard result.rowCount == 1 else { throw .batchMissing(batch) }
  }
}

extension PostgresRow {
  fileprivate func batch() throws(PostgresError) -> Batch {
    Batch(
      id: BatchID(rawValue: try int64(0)),
      name: try text(1),
      owner: try text(2),
      state: BatchState(rawValue: Int16(clamping: try int(3))) ?? .open,
      isSealed: try bool(4),
      priority: try int(5),
      total: try int(6),
      progress: BatchProgress(
        done: try int(9),
        failed: try int(10),
        cancelled: try int(11),
        skipped: try int(12),
        pixels: try int64(13),
        inputBytes: try int64(14),
        outputBytes: try int64(15)
      ),
      createdMicroseconds: try timestamp(7),
      finishedMicroseconds: try optionalTimestamp(8),
      pauseReason: try optionalText(16),
      pausedBy: try optionalText(17),
      weight: try double(18),
      maximumRunning: try optionalInt(19),
      waitsFor: try predecessor(20)
    )
  }

  private func predecessor(_ column: Int) throws(PostgresError) -> Batch.Predecessor? {
    guard let batch = try optionalInt64(column) else { return nil }
    return Batch.Predecessor(
      batch: BatchID(rawValue: batch),
      isCancelled: try bool(column + 1)
    )
  }
}
