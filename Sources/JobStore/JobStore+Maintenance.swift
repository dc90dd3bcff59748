internal import JobModel
internal import PostgresClient

/// One process at a time keeps house; the others find the lock taken and go on.
private let lockMaintenance = SQLStatement(
  "maintenance.lock",
  "SELECT pg_try_advisory_xact_lock(hashtextextended('rawmill.maintenance.' || current_schema, 0))"
)

private let foldTally = SQLStatement(
  "tally.fold",
  """
  WITH taken AS (DELETE FROM tally RETURNING *)
  INSERT INTO progress AS p (
    batch_id, done, failed, cancelled, skipped, pixels, input_bytes, output_bytes)
  SELECT batch_id, sum(done), sum(failed), sum(cancelled), sum(skipped), sum(pixels),
    sum(input_bytes), sum(output_bytes)
  FROM taken GROUP BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET
    done = p.done + excluded.done, failed = p.failed + excluded.failed,
    cancelled = p.cancelled + excluded.cancelled, skipped = p.skipped + excluded.skipped,
    pixels = p.pixels + excluded.pixels, input_bytes = p.input_bytes + excluded.input_bytes,
    output_bytes = p.output_bytes + excluded.output_bytes
  """
)

private let closeBatches = SQLStatement("batch.close", "SELECT 1 FROM close_batches()")

private let selectHinted = SQLStatement(
  "batch.hinted",
  "SELECT id FROM batch WHERE state = 0 AND has_ready ORDER BY id"
)

private let lockBatch = SQLStatement(
  "batch.lock",
  "SELECT state FROM batch WHERE id = $1 AND has_ready FOR UPDATE"
)

/// A statement of its own after the lock, so that it sees what was committed before the lock.
private let clearHint = SQLStatement(
  "batch.clearHint",
  """
  UPDATE batch SET has_ready = false
  WHERE id = $1 AND NOT EXISTS (SELECT FROM job WHERE batch_id = $1 AND ready)
  """
)

private let selectUnsweptBatches = SQLStatement(
  "batch.unswept",
  "SELECT id FROM batch WHERE state = 2 AND finished_at IS NULL ORDER BY id"
)

extension JobStore {
  /// Folds progress, promotes delayed jobs, rescues those of dead workers, sweeps cancelled batches,
  /// seals those whose submitter died, ends finished ones and tells of them; does nothing if another
  /// process is at it.
  ///
  /// Meant to be called about once a second by every worker and every `run`. It never waits for
  /// another process that does the same.
  ///
  /// - Returns: Whether it was this process's turn.
  @discardableResult
  package func maintain() throws(JobStoreError) -> Bool {
    let isTurn = try transaction { () throws(JobStoreError) in
      let result = try query(lockMaintenance)
      guard try wrapping({ () throws(PostgresError) in try result[0].bool(0) }) else {
        return false
      }
      try sealAbandonedBatches()
      try query(foldTally)
      try query(closeBatches)
      return true
    }
    // What follows is safe in any number of processes; each step is a transaction of its own, so that
    // no lock is held from one to the next.
    try promote()
    try rescue()
    if isTurn {
      try clearHints()
      try sweepCancelled()
    }
    return isTurn
  }

  /// Clears the hint of batches that have nothing ready.
  private func clearHints() throws(JobStoreError) {
    let result = try query(selectHinted)
    for row in 0..<result.rowCount {
      let batch = try wrapping { () throws(PostgresError) in try result[row].int64(0) }
      try transaction { () throws(JobStoreError) in
        guard try query(lockBatch, [.int64(batch)]).rowCount == 1 else { return }
        try query(clearHint, [.int64(batch)])
      }
    }
  }

  /// Jobs that came back to a batch after it was cancelled end here.
  private func sweepCancelled() throws(JobStoreError) {
    let result = try query(selectUnsweptBatches)
    for row in 0..<result.rowCount {
      let batch = try wrapping { () throws(PostgresError) in try result[row].int64(0) }
      try sweep(BatchID(rawValue: batch))
    }
  }
}
