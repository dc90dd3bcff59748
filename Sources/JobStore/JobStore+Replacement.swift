internal import Digest
internal import FileSystem
internal import JSON
package import JobModel
internal import PostgresClient

private let lockLease = SQLStatement("lease.hold", "SELECT lock_lease($1, $2)")

private let intendReplacement = SQLStatement(
  "replacement.intend",
  """
  SELECT intend_replacement($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  """
)

private let completeReplacement = SQLStatement(
  "replacement.complete",
  "SELECT 1 FROM complete_replacements($1, $2)"
)

private let restoreReplacement = SQLStatement(
  "replacement.restored",
  "UPDATE replacement SET restored_at = clock_timestamp() WHERE job_id = $1"
)

/// Without the report, which is for completions alone and kilobytes long, where many are asked for.
private func replacementColumns(
  report: String = "'null'::jsonb",
  from source: String = "replacement"
) -> String {
  """
  SELECT r.job_id, r.root, r.path, r.original_size, r.original_mtime_ns, r.original_sha256,
    r.original_inode, r.original_mode, r.original_owner, r.original_group, r.size, r.sha256,
    r.kept_root, r.kept_path, \(report), r.recipe_digest, r.replaced_at IS NOT NULL,
    r.restored_at IS NOT NULL
  FROM \(source) r
  """
}

private let selectReplacement = SQLStatement(
  "replacement.ofJob",
  replacementColumns(report: "r.report", from: "replacement_of_job($1)")
)

private let selectReplacementsAt = SQLStatement(
  "replacement.at",
  """
  \(replacementColumns())
  WHERE r.path = ANY ($2) AND (r.root, r.path) IN (SELECT * FROM unnest($1::text[], $2::bytea[]))
  ORDER BY r.job_id
  """
)

private let selectReplacementsOfBatch = SQLStatement(
  "replacement.ofBatch",
  """
  \(replacementColumns()) JOIN job j ON j.id = r.job_id
  WHERE j.batch_id = $1 AND r.job_id > $2 ORDER BY r.job_id LIMIT $3
  """
)

private let selectJobs = SQLStatement(
  "job.identity",
  """
  SELECT dedupe_key, recipe_digest, input_root, input_path, input_size, input_mtime_ns, priority,
    output_ids, output_roots, output_paths, outcome, id
  FROM job WHERE id = ANY ($1)
  """
)

/// Paths of one question.
private let pathSlice = 5_000

extension JobStore {
  /// Runs `body` while the lease's row is locked: nobody else can decide the job meanwhile.
  ///
  /// The lock ends with the transaction, or with the session if the server gives this process up.
  ///
  /// - Throws: `leaseLost` if the job is not this attempt's any more; `body` has not run then.
  package func holding<Value>(
    _ lease: Lease,
    _ body: () -> Value
  ) throws(JobStoreError) -> Value {
    var isLost = false
    var value: Value?
    do throws(PostgresError) {
      // Not repeated on failure, as other transactions are: `body` has effects of its own.
      try connection.transaction { (connection) throws(PostgresError) in
        let held = try connection.query(
          lockLease,
          [.int64(lease.job.rawValue), .uuid(UUIDValue(lease.token))]
        )
        isLost = try held[0].optionalInt(0) == nil
        if !isLost { value = body() }
      }
    } catch {
      throw .postgres(error)
    }
    guard let value, !isLost else { throw .leaseLost(lease.job) }
    return value
  }

  /// Records a replacement as an intent.
  func record(_ replacement: ReplacementRecord, _ lease: Lease) throws(JobStoreError) {
    let original = replacement.original
    let result = try query(
      intendReplacement,
      [
        .int64(lease.job.rawValue), .uuid(UUIDValue(lease.token)),
        .text(original.file.location.root), .bytes(original.file.location.path.bytes),
        .int64(original.file.size), .int64(original.file.modificationNanoseconds),
        .int64(Int64(bitPattern: original.inode)), .int32(Int32(clamping: original.mode)),
        .int64(Int64(original.owner)), .int64(Int64(original.group)),
        .bytes(original.sha256.bytes), .int64(replacement.size), .bytes(replacement.sha256.bytes),
        .optional(replacement.kept?.root), .optional(replacement.kept?.path.bytes),
        .jsonb(databaseJSON(replacement.report)),
      ]
    )
    guard try wrapping({ () throws(PostgresError) in try result[0].bool(0) }) else {
      throw .leaseLost(lease.job)
    }
  }

  /// Marks the replacements of completed jobs, in the transaction of the completion.
  func completeReplacements(_ leases: [Lease]) throws(JobStoreError) {
    guard !leases.isEmpty else { return }
    try query(
      completeReplacement,
      [.int64Array(leases.map(\.job.rawValue)), .uuidArray(leases.map { UUIDValue($0.token) })]
    )
  }

  /// Records that the original was put back.
  package func markRestored(_ job: JobID) throws(JobStoreError) {
    try query(restoreReplacement, [.int64(job.rawValue)])
  }

  /// The replacement that a job intended or made, with what its completion records.
  package func replacement(of job: JobID) throws(JobStoreError) -> KnownReplacement? {
    try replacements(query(selectReplacement, [.int64(job.rawValue)])).first
  }

  /// The replacements of files that stand, or stood, at some places.
  package func replacements(
    at locations: [FileLocation]
  ) throws(JobStoreError) -> [KnownReplacement] {
    var found: [KnownReplacement] = []
    for start in stride(from: 0, to: locations.count, by: pathSlice) {
      let slice = locations[start..<min(locations.count, start + pathSlice)]
      found += try replacements(
        query(
          selectReplacementsAt,
          [.textArray(slice.map(\.root)), .bytesArray(slice.map(\.path.bytes))]
        )
      )
    }
    return found
  }

  /// The replacements of a batch's jobs after the job `after`, in order.
  package func replacements(
    of batch: BatchID,
    after: JobID? = nil,
    limit: Int = 1_000
  ) throws(JobStoreError) -> [KnownReplacement] {
    try replacements(
      query(
        selectReplacementsOfBatch,
        [.int64(batch.rawValue), .int64(after?.rawValue ?? 0), .int64(Int64(limit))]
      )
    )
  }

  /// Jobs as they were submitted, and whether they wait or run.
  package func specifications(
    of jobs: [JobID]
  ) throws(JobStoreError) -> [JobID: (job: JobSpecification, isLive: Bool)] {
    var found: [JobID: (job: JobSpecification, isLive: Bool)] = [:]
    for start in stride(from: 0, to: jobs.count, by: pathSlice) {
      let slice = jobs[start..<min(jobs.count, start + pathSlice)]
      let result = try query(selectJobs, [.int64Array(slice.map(\.rawValue))])
      for index in 0..<result.rowCount {
        let row = result[index]
        let key = DedupeKey(digest: try row.digest(0, "job.dedupe_key"))
        let recipe = try row.digest(1, "job.recipe_digest")
        try wrapping { () throws(PostgresError) in
          let job = JobSpecification(
            key: key,
            input: try row.inputFile(2),
            recipe: recipe,
            priority: try row.int(6),
            outputs: try row.plannedOutputs(7)
          )
          let id = JobID(rawValue: try row.int64(11))
          found[id] = (job, try row.optionalInt(10) == nil)
        }
      }
    }
    return found
  }

  private func replacements(
    _ result: PostgresResult
  ) throws(JobStoreError) -> [KnownReplacement] {
    var found: [KnownReplacement] = []
    for index in 0..<result.rowCount { found.append(try replacement(result[index])) }
    return found
  }

  private func replacement(_ row: PostgresRow) throws(JobStoreError) -> KnownReplacement {
    let original = try row.digest(5, "replacement.original_sha256")
    let sha256 = try row.digest(11, "replacement.sha256")
    let recipe = try row.digest(15, "replacement.recipe_digest")
    let text = try wrapping { () throws(PostgresError) in try row.json(14) }
    let report: JSONValue
    do throws(JSONError) {
      report = try JSONParser.parse(text)
    } catch {
      throw .storedValueInvalid(column: "replacement.report", value: error.message)
    }
    return try wrapping { () throws(PostgresError) in
      KnownReplacement(
        job: JobID(rawValue: try row.int64(0)),
        recipe: recipe,
        record: ReplacementRecord(
          original: ReplacementRecord.Original(
            file: try row.inputFile(1),
            sha256: original,
            inode: UInt64(bitPattern: try row.int64(6)),
            mode: UInt32(clamping: try row.int(7)),
            owner: UInt32(clamping: try row.int64(8)),
            group: UInt32(clamping: try row.int64(9))
          ),
          size: try row.int64(10),
          sha256: sha256,
          kept: try row.optionalLocation(12),
          report: report
        ),
        isReplaced: try row.bool(16),
        isRestored: try row.bool(17)
      )
    }
  }
}
