internal import Digest
package import JobModel
internal import PostgresClient

private let selectKnown = SQLStatement(
  "job.known",
  "SELECT dedupe_key, id, batch_id, outcome, ready, is_delayed FROM known_jobs($1)"
)

private let selectPublished = SQLStatement(
  "output.published",
  "SELECT \(OutputRecord.columns), o.job_id FROM known_outputs($1) AS o"
)

private let registerRecipes = SQLStatement(
  "recipe.register",
  "SELECT digest FROM register_recipes($1) AS digest"
)

/// Keys of one question.
private let knownSlice = 5_000

extension JobStore {
  /// Keeps recipes, so that jobs may name them.
  package func register(_ recipes: [RecipeRecord]) throws(JobStoreError) {
    guard !recipes.isEmpty else { return }
    try transaction { () throws(JobStoreError) in
      let result = try query(registerRecipes, [.textArray(recipes.map(\.canonicalJSON))])
      for (index, recipe) in recipes.enumerated() {
        let digest = try result[index].digest(0, "recipe.digest")
        guard digest == recipe.digest else {
          throw .storedValueInvalid(column: "recipe.digest", value: digest.hex)
        }
      }
    }
  }

  /// What the queue knows of these keys; those that it has never seen are absent.
  ///
  /// A done job comes with the outputs that it published; whether they are still there is for the
  /// caller to see.
  package func known(_ keys: [DedupeKey]) throws(JobStoreError) -> [DedupeKey: KnownJob] {
    var known: [DedupeKey: KnownJob] = [:]
    for start in stride(from: 0, to: keys.count, by: knownSlice) {
      let slice = keys[start..<min(keys.count, start + knownSlice)]
      known.merge(try knownSliced(slice), uniquingKeysWith: { _, new in new })
    }
    return known
  }

  private func knownSliced(
    _ keys: ArraySlice<DedupeKey>
  ) throws(JobStoreError) -> [DedupeKey: KnownJob] {
    let result = try query(selectKnown, [.bytesArray(keys.map(\.digest.bytes))])
    var jobs: [JobID: (key: DedupeKey, job: KnownJob)] = [:]
    for index in 0..<result.rowCount {
      let row = result[index]
      let key = DedupeKey(digest: try row.digest(0, "job.dedupe_key"))
      let job = try wrapping { () throws(PostgresError) in
        KnownJob(
          id: JobID(rawValue: try row.int64(1)),
          batch: BatchID(rawValue: try row.int64(2)),
          state: try row.jobState(outcome: 3, ready: 4, delayed: 5),
          outputs: []
        )
      }
      jobs[job.id] = (key, job)
    }
    let done = jobs.values.filter { $0.job.state == .ended(.done) }.map(\.key)
    if !done.isEmpty {
      let outputs = try query(selectPublished, [.bytesArray(done.map(\.digest.bytes))])
      for index in 0..<outputs.rowCount {
        let id = try wrapping { () throws(PostgresError) in try outputs[index].int64(10) }
        jobs[JobID(rawValue: id)]?.job.outputs.append(try outputs[index].outputRecord(0))
      }
    }
    return Dictionary(
      jobs.values.map { ($0.key, $0.job) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

extension PostgresRow {
  /// Where a job stands, by its three columns.
  fileprivate func jobState(
    outcome: Int,
    ready: Int,
    delayed: Int
  ) throws(PostgresError) -> JobState {
    if let number = try optionalInt(outcome) {
      return .ended(Outcome(rawValue: Int16(clamping: number)) ?? .failed)
    }
    if try bool(ready) { return .ready }
    return try bool(delayed) ? .delayed : .running
  }
}
