internal import Diagnostics
package import JobModel
internal import PostgresClient

private let selectGroups = SQLStatement(
  "failure.groups",
  """
  SELECT code, min(class)::int, count(*) FROM failure WHERE batch_id = $1
  GROUP BY code ORDER BY 3 DESC, 1
  """
)

private let selectWithCode = SQLStatement(
  "failure.withCode",
  """
  SELECT f.job_id, f.attempt, f.class, f.code, f.message, j.input_root, j.input_path
  FROM failure f CROSS JOIN LATERAL (
    SELECT input_root, input_path FROM job WHERE id = f.job_id OFFSET 0
  ) j
  WHERE f.batch_id = $1 AND f.code = $2 AND f.job_id > $3 ORDER BY f.job_id LIMIT $4
  """
)

private let selectRecent = SQLStatement(
  "failure.recent",
  """
  SELECT f.job_id, f.attempt, f.class, f.code, f.message, j.input_root, j.input_path,
    f.batch_id, f.failed_at
  FROM (SELECT * FROM failure ORDER BY failed_at DESC LIMIT $1) f CROSS JOIN LATERAL (
    SELECT input_root, input_path FROM job WHERE id = f.job_id OFFSET 0
  ) j
  ORDER BY f.failed_at DESC
  """
)

/// The newest batches with failures: hops from one batch to the next older one, so that a million failures
/// of one batch cost one step.
private let selectFailedBatches = SQLStatement(
  "failure.batches",
  """
  WITH RECURSIVE hop AS (
    (SELECT batch_id FROM failure ORDER BY batch_id DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT f.batch_id FROM failure f WHERE f.batch_id < hop.batch_id
      ORDER BY f.batch_id DESC LIMIT 1)
    FROM hop WHERE hop.batch_id IS NOT NULL
  )
  SELECT batch_id FROM hop WHERE batch_id IS NOT NULL LIMIT $1
  """
)

extension JobStore {
  /// The failed jobs of a batch by their code, the most frequent first.
  package func failureGroups(of batch: BatchID) throws(JobStoreError) -> [FailureGroup] {
    let result = try query(selectGroups, [.int64(batch.rawValue)])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        FailureGroup(
          code: ErrorCode(rawValue: try row.text(0)),
          failureClass: FailureClass(rawValue: Int16(clamping: try row.int(1))) ?? .permanent,
          count: try row.int(2)
        )
      }
    }
  }

  /// The failed jobs of a batch with one code after the job `after`, in order.
  package func failures(
    of batch: BatchID,
    code: String,
    after: JobID? = nil,
    limit: Int
  ) throws(JobStoreError) -> [FailedJob] {
    try failedJobs(
      query(
        selectWithCode,
        [
          .int64(batch.rawValue), .text(databaseText(code)), .int64(after?.rawValue ?? 0),
          .int64(Int64(limit)),
        ]
      )
    )
  }

  /// The newest failures of all batches, with their batch and time in microseconds since 1970.
  package func recentFailures(
    limit: Int
  ) throws(JobStoreError) -> [(job: FailedJob, batch: BatchID, microseconds: Int64)] {
    let result = try query(selectRecent, [.int64(Int64(limit))])
    let jobs = try failedJobs(result)
    return try wrapping { () throws(PostgresError) in
      var recent: [(job: FailedJob, batch: BatchID, microseconds: Int64)] = []
      for (index, job) in jobs.enumerated() {
        recent.append(
          (job, BatchID(rawValue: try result[index].int64(7)), try result[index].timestamp(8))
        )
      }
      return recent
    }
  }

  /// Batches that have failed jobs, the newest first.
  package func batchesWithFailures(limit: Int) throws(JobStoreError) -> [BatchID] {
    let result = try query(selectFailedBatches, [.int64(Int64(limit))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in BatchID(rawValue: try row.int64(0)) }
    }
  }
}
