internal import Digest
internal import JSON
package import JobModel
package import PostgresClient

/// Whoever deletes the lease row decides; results and provenance are written from what was deleted.
package let completeJobs = SQLStatement(
  "job.complete",
  """
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(
      $1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[],
      $8::jsonb[], $9::int[], $10::text[], $11::text[], $12::text[], $13::jsonb[], $14::jsonb[],
      $15::bigint[]
    ) AS g (job_id, token, pixels, input_size, input_mtime_ns, input_sha256, resolved_digest,
      resolved_settings, pixel_version, engine_version, source_revision, host, libraries, stages,
      peak_memory_bytes)
  ), \(freedLeases), ended AS (
    UPDATE job j SET outcome = 1, finished_at = clock_timestamp()
    FROM freed f WHERE j.id = f.job_id
    RETURNING j.batch_id, j.input_root, j.input_path, j.recipe_digest, f.*
  ), published AS (
    UPDATE output o SET published_at = clock_timestamp()
    FROM ended e WHERE o.job_id = e.job_id AND o.attempt = e.attempt
    RETURNING e.batch_id, o.size
  ), superseded AS (
    DELETE FROM output o USING ended e WHERE o.job_id = e.job_id AND o.attempt < e.attempt
  ), recorded AS (
    INSERT INTO provenance (
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels, peak_memory_bytes)
    SELECT
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels, peak_memory_bytes
    FROM ended
  ), tallied AS (
    INSERT INTO tally (batch_id, done, pixels, input_bytes, output_bytes)
    SELECT batch_id, sum(done), sum(pixels), sum(input_bytes), sum(output_bytes) FROM (
      SELECT batch_id, 1 AS done, pixels, input_size AS input_bytes, 0 AS output_bytes FROM ended
      UNION ALL
      SELECT batch_id, 0, 0, 0, size FROM published
    ) AS parts GROUP BY batch_id
  )
  SELECT job_id FROM ended
  """
)

private let selectCompleted = SQLStatement(
  "job.completed",
  """
  SELECT p.job_id FROM unnest($1::bigint[], $2::uuid[]) AS g (job_id, token)
  JOIN provenance p ON p.job_id = g.job_id AND p.token = g.token
  """
)

extension JobStore {
  /// Commits outcome, results and provenance of jobs, and gives those for which this took effect.
  ///
  /// A job that is not among them was decided by somebody else: throw its work away. After a lost
  /// connection the call is repeated as it was; what had been committed counts as taken effect.
  package func complete(_ reports: [JobReport]) throws(JobStoreError) -> Set<JobID> {
    guard !reports.isEmpty else { return [] }
    return try transaction { () throws(JobStoreError) in try completeInside(reports) }
  }

  /// Completes jobs and claims others in one transaction: one wait for the disk instead of two.
  package func complete(
    _ reports: [JobReport],
    thenClaim count: Int,
    for worker: WorkerID
  ) throws(JobStoreError) -> (completed: Set<JobID>, claimed: [ClaimedJob]) {
    try transaction { () throws(JobStoreError) in
      let completed = reports.isEmpty ? [] : try completeInside(reports)
      return (completed, try claim(worker, count: count))
    }
  }

  private func completeInside(_ reports: [JobReport]) throws(JobStoreError) -> Set<JobID> {
    let records = reports.map(\.provenance)
    let jobs = reports.map(\.lease.job.rawValue)
    let tokens = reports.map { UUIDValue($0.lease.token) }
    let result = try query(
      completeJobs,
      [
        .int64Array(jobs), .uuidArray(tokens), .int64Array(reports.map(\.pixels)),
        .int64Array(records.map(\.input.size)),
        .int64Array(records.map(\.input.modificationNanoseconds)),
        .bytesArray(records.map(\.inputSHA256.bytes)),
        .bytesArray(records.map(\.resolvedDigest.bytes)),
        .jsonbArray(records.map { databaseJSON($0.resolvedSettings) }),
        .int32Array(records.map { Int32(clamping: $0.pixelVersion) }),
        .textArray(records.map { databaseText($0.engineVersion) }),
        .textArray(records.map { databaseText($0.sourceRevision) }),
        .textArray(records.map { databaseText($0.host) }),
        .jsonbArray(records.map { databaseJSON($0.librariesJSON) }),
        .jsonbArray(records.map { databaseJSON($0.stagesJSON) }),
        .int64Array(records.map(\.peakMemoryBytes)),
      ]
    )
    var completed = try jobIDs(result)
    // Most jobs prove and replace nothing, and pay for nothing.
    let effective = reports.filter { completed.contains($0.lease.job) }
    try completeReplacements(effective.filter(\.isReplacement).map(\.lease.job))
    try record(proofsOf: effective)
    try record(statisticsOf: effective)
    if completed.count < reports.count {
      completed.formUnion(
        try jobIDs(query(selectCompleted, [.int64Array(jobs), .uuidArray(tokens)]))
      )
    }
    return completed
  }

  /// The first column of every row.
  func jobIDs(_ result: PostgresResult) throws(JobStoreError) -> Set<JobID> {
    try wrapping { () throws(PostgresError) in
      Set(try result.map { (row) throws(PostgresError) in JobID(rawValue: try row.int64(0)) })
    }
  }
}

extension ProvenanceRecord {
  fileprivate var librariesJSON: JSONValue {
    .object(
      libraryVersions.sorted { $0.key < $1.key }
        .map { (key: $0.key, value: JSONValue($0.value)) }
    )
  }

  fileprivate var stagesJSON: JSONValue {
    .array(stageNanoseconds.map { .array([.string($0.stage), .integer($0.nanoseconds)]) })
  }
}
