internal import Digest
internal import FileSystem
package import JobModel
package import PostgresClient

/// Rows come by COPY into a table of the session, which no other session sees and no log records.
package let createStaged = """
  CREATE TEMP TABLE IF NOT EXISTS staged (
    n integer PRIMARY KEY, dedupe_key bytea NOT NULL UNIQUE, redo boolean NOT NULL,
    priority smallint NOT NULL, recipe_digest bytea NOT NULL, input_root text NOT NULL,
    input_path bytea NOT NULL, input_size bigint NOT NULL, input_mtime_ns bigint NOT NULL,
    output_ids text[] NOT NULL, output_roots text[] NOT NULL, output_paths bytea[] NOT NULL,
    targets bytea[] NOT NULL, replaces boolean NOT NULL, kept_root text, kept_path bytea
  ) ON COMMIT DELETE ROWS
  """

private let copyStaged = SQLStatement(
  "staged.copy",
  """
  COPY staged (n, dedupe_key, redo, priority, recipe_digest, input_root, input_path, input_size,
    input_mtime_ns, output_ids, output_roots, output_paths, targets, replaces, kept_root, kept_path)
  FROM STDIN (FORMAT binary)
  """
)

/// One slice is submitted at a time, so that nobody takes an output path between the look and the leap.
private let lockSubmission = SQLStatement(
  "staged.lock",
  "SELECT pg_advisory_xact_lock(hashtextextended('rawmill.enqueue.' || current_schema, 0))::text"
)

/// The submitter holds the batch's row until its slice is committed: the hint is not cleared under it.
private let holdBatch = SQLStatement(
  "batch.hold",
  "SELECT sealed OR state > 1 FROM batch WHERE id = $1 FOR NO KEY UPDATE"
)

private let selectMissingRecipe = SQLStatement(
  "staged.missingRecipe",
  """
  SELECT s.recipe_digest FROM staged s
  WHERE NOT EXISTS (SELECT FROM recipe r WHERE r.digest = s.recipe_digest) LIMIT 1
  """
)

/// Rows whose target a live job with another key has; they leave the slice.
///
/// The statements on `staged` are planned once in a session, perhaps while the queue is empty: a join
/// may then read all jobs for each row, which is no trouble in the first slice and takes minutes in the
/// second. So what belongs to a row is looked up by its key; OFFSET 0 keeps the planner from turning the
/// lookup into a join.
package let refuseStaged = SQLStatement(
  "staged.refuse",
  """
  WITH conflicts AS MATERIALIZED (
    SELECT DISTINCT ON (s.n) s.n, u.position::int - 1 AS position, j.id
    FROM staged s
    CROSS JOIN LATERAL unnest(s.targets) WITH ORDINALITY AS u (key, position)
    CROSS JOIN LATERAL (SELECT job_id FROM target WHERE key = u.key OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT id FROM job
      WHERE id = t.job_id AND outcome IS NULL AND dedupe_key <> s.dedupe_key OFFSET 0
    ) j
    ORDER BY s.n, u.position
  ), removed AS (
    DELETE FROM staged WHERE n = ANY (ARRAY(SELECT n FROM conflicts))
  )
  SELECT n, position, id FROM conflicts ORDER BY n
  """
)

/// Takes over a target, or makes it; what no live job holds is free, for refused rows are gone.
private let holdTargets = """
  INSERT INTO target (key, job_id) SELECT DISTINCT ON (key) key, job_id FROM (
    SELECT unnest(targets) AS key, id AS job_id FROM placed
  ) AS wanted ORDER BY key
  ON CONFLICT (key) DO UPDATE SET job_id = excluded.job_id WHERE target.job_id <> excluded.job_id
  """

/// Ended jobs that are done again: those that failed or were cancelled, and done ones whose outputs
/// are gone.
///
/// They move to this batch; the one that they leave counts them no more.
package let redoStaged = SQLStatement(
  "staged.redo",
  """
  WITH again AS MATERIALIZED (
    SELECT j.id, j.batch_id, j.outcome, s.n, s.priority, s.targets, s.replaces, s.kept_root,
      s.kept_path,
      CASE j.outcome WHEN 1 THEN j.input_size ELSE 0 END AS input_bytes,
      CASE j.outcome WHEN 1 THEN (
        SELECT p.pixels FROM provenance p WHERE p.job_id = j.id ORDER BY p.attempt DESC LIMIT 1
      ) ELSE 0 END AS pixels,
      CASE j.outcome WHEN 1 THEN (
        SELECT sum(o.size) FROM output o WHERE o.job_id = j.id AND o.published_at IS NOT NULL
      ) ELSE 0 END AS output_bytes
    FROM staged s CROSS JOIN LATERAL (
      SELECT id, batch_id, outcome, input_size FROM job
      WHERE dedupe_key = s.dedupe_key AND (outcome IN (2, 3, 4) OR (outcome = 1 AND s.redo))
      OFFSET 0 FOR UPDATE
    ) j
  ), armed AS (
    UPDATE job j SET batch_id = $1, ready = true, outcome = NULL, finished_at = NULL, failures = 0,
      crashes = 0, host_faults = 0, priority = a.priority, replaces = a.replaces,
      kept_root = a.kept_root, kept_path = a.kept_path
    FROM again a WHERE j.id = a.id
  ), forgotten AS (
    DELETE FROM failure f USING again a WHERE f.job_id = a.id
  ), uncounted AS (
    INSERT INTO tally (batch_id, done, failed, cancelled, skipped, pixels, input_bytes, output_bytes)
    SELECT batch_id, -count(*) FILTER (WHERE outcome = 1), -count(*) FILTER (WHERE outcome = 2),
      -count(*) FILTER (WHERE outcome = 3), -count(*) FILTER (WHERE outcome = 4),
      -coalesce(sum(pixels), 0), -sum(input_bytes), -coalesce(sum(output_bytes), 0)
    FROM again GROUP BY batch_id
  ), departed AS (
    UPDATE batch b SET total = total - c.count
    FROM (SELECT batch_id, count(*) FROM again WHERE batch_id <> $1 GROUP BY batch_id) c
    WHERE b.id = c.batch_id
  ), placed AS (
    DELETE FROM staged s USING again a WHERE s.n = a.n RETURNING a.id, s.targets
  ), held AS (
    \(holdTargets)
  )
  SELECT count(*), count(*) FILTER (WHERE batch_id <> $1) FROM again
  """
)

package let insertJobs = SQLStatement(
  "staged.insert",
  """
  WITH fresh AS (
    INSERT INTO job (batch_id, priority, dedupe_key, recipe_digest, input_root, input_path,
      input_size, input_mtime_ns, output_ids, output_roots, output_paths, replaces, kept_root,
      kept_path)
    SELECT $1, priority, dedupe_key, recipe_digest, input_root, input_path, input_size,
      input_mtime_ns, output_ids, output_roots, output_paths, replaces, kept_root, kept_path
    FROM staged ORDER BY n
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING id, dedupe_key
  ), placed AS (
    DELETE FROM staged s USING fresh f WHERE s.dedupe_key = f.dedupe_key RETURNING f.id, s.targets
  ), held AS (
    \(holdTargets)
  )
  SELECT count(*) FROM fresh
  """
)

/// What is left are jobs that the queue has already, live or done.
package let countLeft = SQLStatement(
  "staged.left",
  """
  SELECT j.batch_id, coalesce(j.outcome = 1, false), count(*)
  FROM staged s CROSS JOIN LATERAL (
    SELECT batch_id, outcome FROM job WHERE dedupe_key = s.dedupe_key OFFSET 0
  ) j GROUP BY 1, 2
  """
)

private let growBatch = SQLStatement(
  "batch.grow",
  """
  UPDATE batch SET total = total + $2, has_ready = has_ready OR $3,
    roots = ARRAY(SELECT DISTINCT unnest(roots || $4::text[]) ORDER BY 1)
  WHERE id = $1
  """
)

/// Jobs of one transaction: bounds memory and the time that others wait.
private let enqueueSlice = 10_000

extension JobStore {
  /// Submits jobs to a batch that is not sealed, in transactions of 10,000.
  ///
  /// A job that the queue has already is not made twice: if it is live it stays where it is; if it is
  /// done it is left alone, unless `redo` says that its outputs are gone; if it failed or was
  /// cancelled it is done again as part of this batch. A job with an output path of another live job,
  /// or of an earlier job of `jobs`, is refused.
  package func enqueue(
    _ jobs: [JobSpecification],
    into batch: BatchID
  ) throws(JobStoreError) -> EnqueueResult {
    var result = EnqueueResult()
    var keys: Set<DedupeKey> = []
    var targets: Set<TargetKey> = []
    var slice: [StagedJob] = []
    for job in jobs {
      guard keys.insert(job.key).inserted else {
        result.duplicates += 1
        continue
      }
      let staged = StagedJob(job)
      if let taken = staged.targets.firstIndex(where: { !targets.insert($0).inserted }) {
        result.refused.append(
          RefusedJob(
            key: job.key,
            input: job.input.location,
            output: staged.written[taken],
            holder: nil
          )
        )
        continue
      }
      slice.append(staged)
      if slice.count == enqueueSlice {
        result.add(try enqueue(slice, batch))
        slice = []
      }
    }
    if !slice.isEmpty { result.add(try enqueue(slice, batch)) }
    return result
  }

  private func enqueue(
    _ jobs: [StagedJob],
    _ batch: BatchID
  ) throws(JobStoreError) -> EnqueueResult {
    try wrapping { () throws(PostgresError) in
      try connection.execute(createStaged, named: "staged.create")
    }
    return try transaction { () throws(JobStoreError) in
      var result = EnqueueResult()
      try query(lockSubmission)
      let hold = try query(holdBatch, [.int64(batch.rawValue)])
      try requireRow(hold, batch)
      if try wrapping({ () throws(PostgresError) in try hold[0].bool(0) }) {
        throw .batchClosed(batch)
      }
      try stage(jobs)
      let missing = try query(selectMissingRecipe)
      if missing.rowCount > 0 {
        throw .recipeMissing(digest: try missing[0].digest(0, "staged.recipe_digest").hex)
      }
      result.refused = try refuse(jobs)
      let redone = try query(redoStaged, [.int64(batch.rawValue)])
      let inserted = try query(insertJobs, [.int64(batch.rawValue)])
      let left = try query(countLeft)
      return try wrapping { () throws(PostgresError) in
        result.redone = try redone[0].int(0)
        result.inserted = try inserted[0].int(0)
        for row in 0..<left.rowCount {
          let count = try left[row].int(2)
          if try left[row].bool(1) {
            result.done += count
          } else {
            result.live[BatchID(rawValue: try left[row].int64(0)), default: 0] += count
          }
        }
        let grown = result.inserted + (try redone[0].int(1))
        try connection.query(
          growBatch,
          [
            .int64(batch.rawValue), .int64(Int64(grown)),
            .bool(result.inserted + result.redone > 0),
            .textArray(Set(jobs.flatMap(\.roots)).sorted()),
          ]
        )
        return result
      }
    }
  }

  private func stage(_ jobs: [StagedJob]) throws(JobStoreError) {
    try wrapping { () throws(PostgresError) in
      try connection.copyIn(copyStaged, rows: jobs.count) { index in jobs[index].row(index) }
    }
  }

  private func refuse(_ jobs: [StagedJob]) throws(JobStoreError) -> [RefusedJob] {
    let result = try query(refuseStaged)
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        let staged = jobs[try row.int(0)]
        return RefusedJob(
          key: staged.job.key,
          input: staged.job.input.location,
          output: staged.written[try row.int(1)],
          holder: JobID(rawValue: try row.int64(2))
        )
      }
    }
  }
}

/// A job with the digests of its output paths.
private struct StagedJob {
  let job: JobSpecification
  /// What the job writes: its outputs, and the original where it is kept.
  let written: [FileLocation]
  let targets: [TargetKey]

  init(_ job: JobSpecification) {
    self.job = job
    written = job.outputs.map(\.location) + [job.replacement?.kept].compactMap { $0 }
    targets = written.map { TargetKey($0) }
  }

  /// Roots that whoever does the job must reach.
  var roots: [String] { [job.input.location.root] + written.map(\.root) }

  /// The columns of `staged`.
  func row(_ index: Int) -> [PostgresParameter] {
    let outputs = job.outputs
    return [
      .int32(Int32(clamping: index)), .bytes(job.key.digest.bytes), .bool(job.redo),
      .int16(Int16(clamping: job.priority)), .bytes(job.recipe.bytes),
      .text(job.input.location.root), .bytes(job.input.location.path.bytes),
      .int64(job.input.size), .int64(job.input.modificationNanoseconds),
      .textArray(outputs.map(\.id)), .textArray(outputs.map(\.location.root)),
      .bytesArray(outputs.map(\.location.path.bytes)), .bytesArray(targets.map(\.digest.bytes)),
      .bool(job.replacement != nil), .optional(job.replacement?.kept?.root),
      .optional(job.replacement?.kept?.path.bytes),
    ]
  }
}
