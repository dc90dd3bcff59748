internal import Digest
package import JobModel
internal import PostgresClient

/// One call: PostgreSQL keeps its plans with the function.
private let claimJobs = SQLStatement(
  "job.claim",
  """
  SELECT id, attempt, token, batch_id, input_root, input_path, input_size, input_mtime_ns,
    recipe_digest, output_ids, output_roots, output_paths, failures, crashes, host_faults,
    maximum_attempts, maximum_crashes, maximum_host_faults, base_delay_ms, maximum_delay_ms,
    replaces, kept_root, kept_path, memory_floor
  FROM claim_jobs($1, $2, $3, $4, $5)
  """
)

private let selectMissingRoots = SQLStatement(
  "batch.missingRoots",
  "SELECT root FROM missing_roots($1) AS root"
)

private let selectRecipes = SQLStatement(
  "recipe.select",
  "SELECT digest, canonical FROM recipes($1)"
)

/// A worker meets few recipes in its life; a submitter with an override for each image makes many.
private let recipeCacheLimit = 1_024

extension JobStore {
  /// Claims up to `count` ready jobs for a worker that is active; fewer, or none, if there are fewer.
  package func claim(
    _ worker: WorkerID,
    count: Int,
    memory: MemoryRange = .any
  ) throws(JobStoreError) -> [ClaimedJob] {
    guard count > 0 else { return [] }
    // Tokens come from the system's generator, never from a seeded one.
    var system = SystemRandomNumberGenerator()
    let tokens = (0..<count).map { _ in LeaseToken.random(using: &system) }
    let result = try query(
      claimJobs,
      [
        .int64(worker.rawValue), .int32(Int32(clamping: count)),
        .uuidArray(tokens.map { UUIDValue($0) }), .int64(memory.above), .int64(memory.upTo),
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
          retryPolicy: try row.retryPolicy(15),
          memoryFloor: try row.int64(23)
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
