internal import Digest
internal import FileSystem
package import JobModel
internal import PostgresClient

private let insertAudit = SQLStatement(
  "audit.begin",
  """
  INSERT INTO audit (scope) VALUES ($1)
  ON CONFLICT (scope) WHERE finished_at IS NULL DO UPDATE SET scope = excluded.scope
  RETURNING id, xmax <> 0
  """
)

private let endAudit = SQLStatement(
  "audit.finish",
  "UPDATE audit SET finished_at = clock_timestamp() WHERE id = $1"
)

private let abandonAudit = SQLStatement(
  "audit.abandon",
  "UPDATE audit SET finished_at = clock_timestamp() WHERE scope = $1 AND finished_at IS NULL"
)

private let recordAudited = SQLStatement(
  "audited.record",
  """
  INSERT INTO audited (audit_id, job_id, output_id, result)
  SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::smallint[])
  ON CONFLICT (job_id, output_id) DO UPDATE SET
    audit_id = excluded.audit_id, checked_at = excluded.checked_at, result = excluded.result
  """
)

/// Outputs as they should stand, and kept originals; an output whose original was put back is gone by
/// intention.
private func recordedFiles(outputs: String, originals: String) -> String {
  """
  SELECT f.job_id, f.output_id, f.root, f.path, f.size, f.sha256, a.result FROM (
    SELECT o.job_id, o.output_id, o.root, o.path, o.size, o.sha256
    FROM output o \(outputs) AND o.published_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM replacement r WHERE r.job_id = o.job_id AND r.restored_at IS NOT NULL)
      AND NOT EXISTS (
        -- What a later replacement took as its original stands there no more.
        SELECT FROM replacement n WHERE n.path = o.path AND n.root = o.root AND n.job_id <> o.job_id
          AND n.original_sha256 = o.sha256 AND n.replaced_at IS NOT NULL AND n.restored_at IS NULL)
    UNION ALL
    SELECT r.job_id, '', r.kept_root, r.kept_path, r.original_size, r.original_sha256
    FROM replacement r \(originals) AND r.kept_root IS NOT NULL AND r.replaced_at IS NOT NULL
      AND r.restored_at IS NULL
  ) f LEFT JOIN audited a
    ON a.job_id = f.job_id AND a.output_id = f.output_id AND a.audit_id = $1
  WHERE (f.job_id, f.output_id) > ($2, $3)
  ORDER BY f.job_id, f.output_id LIMIT $4
  """
}

private let filesOfBatch = SQLStatement(
  "audit.batch",
  recordedFiles(
    outputs: "JOIN job j ON j.id = o.job_id WHERE j.batch_id = $5",
    originals: "JOIN job j ON j.id = r.job_id WHERE j.batch_id = $5"
  )
)

/// Paths in a folder are those between its path with a slash and the same with the byte that follows
/// the slash; every path, for the root's own folder.
private let filesOfFolder = SQLStatement(
  "audit.folder",
  recordedFiles(
    outputs: """
      JOIN unnest($5::text[], $6::bytea[], $7::bytea[]) AS s (root, low, high)
        ON o.root = s.root AND o.path >= s.low AND (s.high IS NULL OR o.path < s.high) WHERE true
      """,
    originals: """
      JOIN unnest($5::text[], $6::bytea[], $7::bytea[]) AS s (root, low, high)
        ON r.kept_root = s.root AND r.kept_path >= s.low AND (s.high IS NULL OR r.kept_path < s.high)
      WHERE true
      """
  )
)

private let selectRecordedPaths = SQLStatement(
  "audit.recorded",
  """
  SELECT s.n FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS s (root, path, n)
  WHERE EXISTS (
      SELECT FROM output o WHERE o.path = s.path AND o.root = s.root AND o.published_at IS NOT NULL)
    OR EXISTS (SELECT FROM replacement r WHERE r.kept_path = s.path AND r.kept_root = s.root)
  """
)

extension JobStore {
  /// Where a listing of recorded files goes on.
  package struct AuditPosition: Equatable, Sendable {
    package var job: JobID
    package var outputID: String

    package init(_ file: AuditedFile) {
      job = file.job
      outputID = file.outputID
    }
  }

  /// Begins an audit, or goes on with one of the same scope that has not ended; `restarts` gives that one
  /// up, and looks at everything again.
  package func beginAudit(
    _ scope: AuditScope,
    restarts: Bool
  ) throws(JobStoreError) -> (id: Int64, isResumed: Bool) {
    if restarts { try query(abandonAudit, [.text(databaseText(scope.name))]) }
    let result = try query(insertAudit, [.text(databaseText(scope.name))])
    return try wrapping { () throws(PostgresError) in
      (try result[0].int64(0), try result[0].bool(1))
    }
  }

  /// Files that an audit is about, in order, after a position.
  package func files(
    of scope: AuditScope,
    audit: Int64,
    after position: AuditPosition?,
    limit: Int = 1_000
  ) throws(JobStoreError) -> [AuditedFile] {
    let place: [PostgresParameter] = [
      .int64(audit), .int64(position?.job.rawValue ?? 0), .text(position?.outputID ?? ""),
      .int64(Int64(limit)),
    ]
    switch scope {
    case .batch(let batch):
      return try auditedFiles(query(filesOfBatch, place + [.int64(batch.rawValue)]))
    case .folder(let locations):
      let lows = locations.map { $0.path.bytes.isEmpty ? [] : $0.path.bytes + [0x2F] }
      let highs = locations.map { $0.path.bytes.isEmpty ? nil : $0.path.bytes + [0x30] }
      return try auditedFiles(
        query(
          filesOfFolder,
          place + [.textArray(locations.map(\.root)), .bytesArray(lows), .bytesArray(highs)]
        )
      )
    }
  }

  /// Records what an audit found, so that it need not look again.
  package func record(
    _ results: [(file: AuditedFile, result: AuditResult)],
    audit: Int64
  ) throws(JobStoreError) {
    guard !results.isEmpty else { return }
    try query(
      recordAudited,
      [
        .int64(audit), .int64Array(results.map(\.file.job.rawValue)),
        .textArray(results.map(\.file.outputID)), .int16Array(results.map(\.result.rawValue)),
      ]
    )
  }

  /// Ends an audit: the next one of its scope looks at everything.
  package func finishAudit(_ audit: Int64) throws(JobStoreError) {
    try query(endAudit, [.int64(audit)])
  }

  /// Which of some places have a recorded output or a kept original, by their index.
  package func recorded(at locations: [FileLocation]) throws(JobStoreError) -> Set<Int> {
    var found: Set<Int> = []
    for start in stride(from: 0, to: locations.count, by: 5_000) {
      let slice = locations[start..<min(locations.count, start + 5_000)]
      let result = try query(
        selectRecordedPaths,
        [.textArray(slice.map(\.root)), .bytesArray(slice.map(\.path.bytes))]
      )
      let indices = try wrapping { () throws(PostgresError) in
        try result.map { (row) throws(PostgresError) in start + (try row.int(0)) - 1 }
      }
      found.formUnion(indices)
    }
    return found
  }

  private func auditedFiles(_ result: PostgresResult) throws(JobStoreError) -> [AuditedFile] {
    var files: [AuditedFile] = []
    for index in 0..<result.rowCount {
      let row = result[index]
      let sha256 = try row.digest(5, "output.sha256")
      let file = try wrapping { () throws(PostgresError) in
        AuditedFile(
          job: JobID(rawValue: try row.int64(0)),
          outputID: try row.text(1),
          location: try row.location(2),
          size: try row.int64(4),
          sha256: sha256,
          result: try row.optionalInt(6).flatMap { AuditResult(rawValue: Int16(clamping: $0)) }
        )
      }
      files.append(file)
    }
    return files
  }
}
