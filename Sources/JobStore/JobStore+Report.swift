internal import Diagnostics
package import JobModel
package import PostgresClient

/// What belongs to a job is looked up by its key, page by page: a batch of a million jobs is never held.
package let selectReportedJobs = SQLStatement(
  "report.jobs",
  """
  SELECT j.id, j.input_root, j.input_path, j.input_size, j.input_mtime_ns, j.outcome, j.attempt,
    j.recipe_digest, p.host, extract(epoch FROM p.finished_at - p.claimed_at)::double precision,
    p.pixels, p.peak_memory_bytes, p.engine_version, p.source_revision, p.pixel_version,
    coalesce(o.bytes, 0), f.class, f.code, f.message
  FROM job j
  LEFT JOIN LATERAL (
    SELECT * FROM provenance WHERE job_id = j.id AND j.outcome = 1 ORDER BY attempt DESC LIMIT 1
  ) p ON true
  LEFT JOIN LATERAL (
    SELECT sum(size)::bigint AS bytes FROM output
    WHERE job_id = j.id AND j.outcome = 1 AND published_at IS NOT NULL
  ) o ON true
  LEFT JOIN LATERAL (
    SELECT class, code, message FROM failure WHERE job_id = j.id AND j.outcome = 2 LIMIT 1
  ) f ON true
  WHERE j.batch_id = $1 AND j.id > $2 ORDER BY j.id LIMIT $3
  """
)

private let selectHasStatistics = SQLStatement(
  "report.hasStatistics",
  """
  SELECT EXISTS (
    SELECT FROM (SELECT id FROM job WHERE batch_id = $1 AND outcome = 1 ORDER BY id LIMIT 100) j
    CROSS JOIN LATERAL (
      SELECT FROM photo_statistics WHERE job_id = j.id LIMIT 1
    ) s
  )
  """
)

extension JobStore {
  /// The jobs of a batch after the job `after`, in order.
  package func reportedJobs(
    of batch: BatchID,
    after: JobID? = nil,
    limit: Int = 5_000
  ) throws(JobStoreError) -> [ReportedJob] {
    let result = try query(
      selectReportedJobs,
      [.int64(batch.rawValue), .int64(after?.rawValue ?? 0), .int64(Int64(limit))]
    )
    var jobs: [ReportedJob] = []
    jobs.reserveCapacity(result.rowCount)
    for index in 0..<result.rowCount {
      let row = result[index]
      let recipe = try row.digest(7, "job.recipe_digest")
      let job = try wrapping { () throws(PostgresError) in
        ReportedJob(
          id: JobID(rawValue: try row.int64(0)),
          input: try row.inputFile(1),
          outcome: try row.optionalInt(5).flatMap { Outcome(rawValue: Int16(clamping: $0)) },
          attempt: try row.int(6),
          recipe: recipe,
          making: try row.making(8),
          outputBytes: try row.int64(15),
          failure: try row.optionalFailure(16)
        )
      }
      jobs.append(job)
    }
    return jobs
  }

  /// Whether one of the first done jobs of a batch has statistics.
  package func hasStatistics(_ batch: BatchID) throws(JobStoreError) -> Bool {
    let result = try query(selectHasStatistics, [.int64(batch.rawValue)])
    return try wrapping { () throws(PostgresError) in try result[0].bool(0) }
  }
}

extension PostgresRow {
  fileprivate func making(_ column: Int) throws(PostgresError) -> ReportedJob.Making? {
    guard let host = try optionalText(column) else { return nil }
    return ReportedJob.Making(
      host: host,
      seconds: try double(column + 1),
      pixels: try int64(column + 2),
      peakMemoryBytes: try int64(column + 3),
      engineVersion: try text(column + 4),
      sourceRevision: try text(column + 5),
      pixelVersion: try int(column + 6)
    )
  }

  fileprivate func optionalFailure(_ column: Int) throws(PostgresError) -> JobFailure? {
    guard let failureClass = try optionalInt(column) else { return nil }
    return JobFailure(
      failureClass: FailureClass(rawValue: Int16(clamping: failureClass)) ?? .permanent,
      code: ErrorCode(rawValue: try text(column + 1)),
      message: try text(column + 2)
    )
  }
}
