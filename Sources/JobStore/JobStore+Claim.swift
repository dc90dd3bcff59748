internal import Digest
package import JobModel
package import PostgresClient

/// Chooses batches by aged priority and weighted chance, locks their first ready jobs, and leases
/// them with the tokens given.
///
/// A batch needs all its roots: its rows are few, so that a worker that lacks one looks at no job.
///
/// The update takes the ids from an ARRAY subquery: it is evaluated once, and the plan stays an index
/// scan however the statistics stand. With a join the planner hashes the whole table after an
/// ANALYZE (measured: 156 ms a claim instead of 0.2 ms at 100,000 jobs).
package let claimJobs = SQLStatement(
  "job.claim",
  """
  WITH chosen AS MATERIALIZED (
    SELECT b.id FROM batch b
    WHERE b.state = 0 AND b.has_ready
      AND EXISTS (SELECT FROM worker w WHERE w.id = $1 AND w.state = 0 AND b.roots <@ w.roots)
      AND NOT EXISTS (SELECT FROM batch a WHERE a.id = b.after_batch AND a.state <> 3)
    ORDER BY
      b.priority + floor(extract(epoch FROM now() - b.created_at) / b.aging_seconds) DESC,
      -ln(1 - random()) / b.weight
    LIMIT $4
  ), picked AS MATERIALIZED (
    SELECT j.id FROM chosen c CROSS JOIN LATERAL (
      SELECT id FROM job WHERE batch_id = c.id AND ready ORDER BY priority DESC, id
      LIMIT $2 FOR UPDATE SKIP LOCKED
    ) j LIMIT $2
  ), taken AS (
    UPDATE job SET ready = false, attempt = attempt + 1
    WHERE id = ANY (ARRAY(SELECT id FROM picked))
    RETURNING id, attempt, batch_id, input_root, input_path, input_size, input_mtime_ns,
      recipe_digest, output_ids, output_roots, output_paths, failures, crashes, host_faults,
      replaces, kept_root, kept_path
  ), numbered AS MATERIALIZED (
    SELECT ($3::uuid[])[row_number() OVER ()] AS token, taken.* FROM taken
  ), leased AS (
    INSERT INTO lease (job_id, token, worker_id, attempt, batch_id)
    SELECT id, token, $1, attempt, batch_id FROM numbered
  )
  SELECT n.id, n.attempt, n.token, n.batch_id, n.input_root, n.input_path, n.input_size,
    n.input_mtime_ns, n.recipe_digest, n.output_ids, n.output_roots, n.output_paths, n.failures,
    n.crashes, n.host_faults, \(RetryPolicy.columns), n.replaces, n.kept_root, n.kept_path
  FROM numbered n JOIN batch b ON b.id = n.batch_id
  ORDER BY n.id
  """
)

private let selectMissingRoots = SQLStatement(
  "batch.missingRoots",
  """
  SELECT DISTINCT root FROM batch b CROSS JOIN LATERAL unnest(b.roots) AS root
  WHERE b.state = 0 AND b.has_ready
    AND NOT EXISTS (SELECT FROM worker w WHERE w.id = $1 AND root = ANY (w.roots))
  ORDER BY root
  """
)

private let selectRecipes = SQLStatement(
  "recipe.select",
  "SELECT digest, canonical FROM recipe WHERE digest = ANY ($1)"
)

/// How many batches a claim looks at first, and then, if these had nothing.
private let batchesOfClaim: [Int32] = [8, .max]

/// A worker meets few recipes in its life; a submitter with an override for each image makes many.
private let recipeCacheLimit = 1_024

extension JobStore {
  /// Claims up to `count` ready jobs for a worker that is active; fewer, or none, if there are fewer.
  package func claim(_ worker: WorkerID, count: Int) throws(JobStoreError) -> [ClaimedJob] {
    guard count > 0 else { return [] }
    for batches in batchesOfClaim {
      let jobs = try claim(worker, count: count, batches: batches)
      if !jobs.isEmpty { return jobs }
    }
    return []
  }

  private func claim(
    _ worker: WorkerID,
    count: Int,
    batches: Int32
  ) throws(JobStoreError) -> [ClaimedJob] {
    // The claim is one statement. Tokens come from the system's generator, never from a seeded one.
    var system = SystemRandomNumberGenerator()
    let tokens = (0..<count).map { _ in LeaseToken.random(using: &system) }
    let result = try query(
      claimJobs,
      [
        .int64(worker.rawValue), .int64(Int64(count)),
        .uuidArray(tokens.map { UUIDValue($0) }), .int64(Int64(batches)),
      ]
    )
    var digests: Set<SHA256Digest> = []
    for row in 0..<result.rowCount {
      digests.insert(try result[row].digest(8, "job.recipe_digest"))
    }
    let recipes = try loadRecipes(digests)
    var jobs: [ClaimedJob] = []
    jobs.reserveCapacity(result.rowCount)
    for index in 0..<result.rowCount {
      let row = result[index]
      let digest = try row.digest(8, "job.recipe_digest")
      guard let recipe = recipes[digest] else { throw .recipeMissing(digest: digest.hex) }
      let job = try wrapping { () throws(PostgresError) in
        ClaimedJob(
          id: JobID(rawValue: try row.int64(0)),
          attempt: try row.int(1),
          token: LeaseToken(try row.uuid(2)),
          batch: BatchID(rawValue: try row.int64(3)),
          input: try row.inputFile(4),
          recipe: recipe,
          outputs: try row.plannedOutputs(9),
          replacement: try row.replacementPlan(20),
          counts: try row.failureCounts(12),
          retryPolicy: try row.retryPolicy(15)
        )
      }
      jobs.append(job)
    }
    return jobs
  }

  /// Roots that batches with ready jobs need and that a worker does not have: it claims none of their
  /// jobs.
  package func missingRoots(_ worker: WorkerID) throws(JobStoreError) -> [String] {
    let result = try query(selectMissingRoots, [.int64(worker.rawValue)])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in try row.text(0) }
    }
  }

  /// The recipes with these digests, from the cache where they are in it.
  func loadRecipes(
    _ digests: Set<SHA256Digest>
  ) throws(JobStoreError) -> [SHA256Digest: RecipeRecord] {
    if recipes.count > recipeCacheLimit { recipes.removeAll() }
    let missing = digests.filter { recipes[$0] == nil }
    if !missing.isEmpty {
      let result = try query(selectRecipes, [.bytesArray(missing.map(\.bytes))])
      for row in 0..<result.rowCount {
        let digest = try result[row].digest(0, "recipe.digest")
        let text = try wrapping { () throws(PostgresError) in try result[row].text(1) }
        recipes[digest] = RecipeRecord(digest: digest, canonicalJSON: text)
      }
    }
    return recipes
  }
}
