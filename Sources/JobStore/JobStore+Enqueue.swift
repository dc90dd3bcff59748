internal import Digest
internal import FileSystem
package import JobModel
internal import PostgresClient

/// Rows come by COPY into a table of the transaction, which no other session sees and no log records.
private let openStaging = SQLStatement("staged.open", "SELECT 1 FROM open_staging()")

private let copyStaged = SQLStatement(
  "staged.copy",
  """
  COPY staged (n, dedupe_key, redo, priority, recipe_digest, input_root, input_path, input_size,
    input_mtime_ns, output_ids, output_roots, output_paths, targets, replaces, kept_root, kept_path)
  FROM STDIN (FORMAT binary)
  """
)

private let enqueueStaged = SQLStatement(
  "staged.enqueue",
  """
  SELECT is_closed, missing_recipe, inserted, redone, refused_rows, refused_positions,
    refused_holders, left_batches, left_done, left_live
  FROM enqueue_staged($1)
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
    try transaction { () throws(JobStoreError) in
      try query(openStaging)
      try stage(jobs)
      let rows = try query(enqueueStaged, [.int64(batch.rawValue)])
      try requireRow(rows, batch)
      let row = rows[0]
      let (isClosed, missing) = try wrapping { () throws(PostgresError) in
        (try row.bool(0), try row.optionalBytes(1))
      }
      if isClosed { throw .batchClosed(batch) }
      if missing != nil {
        throw .recipeMissing(digest: try row.digest(1, "staged.recipe_digest").hex)
      }
      return try wrapping { () throws(PostgresError) in
        var result = EnqueueResult()
        result.inserted = try row.int(2)
        result.redone = try row.int(3)
        let places = zip(try row.int64Array(4), try row.int64Array(5))
        result.refused = zip(places, try row.int64Array(6)).map { place, holder in
          let staged = jobs[Int(place.0)]
          return RefusedJob(
            key: staged.job.key,
            input: staged.job.input.location,
            output: staged.written[Int(place.1)],
            holder: JobID(rawValue: holder)
          )
        }
        let left = zip(try row.int64Array(7), zip(try row.int64Array(8), try row.int64Array(9)))
        for (batch, (done, live)) in left {
          result.done += Int(done)
          if live > 0 { result.live[BatchID(rawValue: batch), default: 0] += Int(live) }
        }
        return result
      }
    }
  }

  private func stage(_ jobs: [StagedJob]) throws(JobStoreError) {
    try wrapping { () throws(PostgresError) in
      try connection.copyIn(copyStaged, rows: jobs.count) { index in jobs[index].row(index) }
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
