package import JobModel
internal import PostgresClient

private let prunePartitions = SQLStatement(
  "partitions.prune",
  "SELECT prune_partitions(clock_timestamp() - make_interval(days => $1))"
)

private let deleteBatch = SQLStatement("batch.delete", "SELECT delete_batch($1, $2)")

private let selectNamed = SQLStatement(
  "batch.named",
  "SELECT id FROM batch WHERE name = $1 ORDER BY id DESC"
)

/// Jobs whose rows are deleted in one transaction.
private let deletionSlice: Int32 = 5_000

extension JobStore {
  /// Drops the months of attempts and events that ended at least so many days ago, and gives the names of
  /// their tables.
  ///
  /// What proves an output is not touched: that stays until its batch is deleted.
  package func prune(olderThanDays days: Int) throws(JobStoreError) -> [String] {
    let result = try transaction { () throws(JobStoreError) in
      try query(prunePartitions, [.int32(Int32(clamping: days))])
    }
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in try row.text(0) }
    }
  }

  /// Batches with a name, the newest first.
  package func batches(named name: String) throws(JobStoreError) -> [BatchID] {
    let result = try query(selectNamed, [.text(databaseText(name))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in BatchID(rawValue: try row.int64(0)) }
    }
  }

  /// Deletes a finished batch with all that is recorded of its jobs, slice by slice, and gives the number
  /// of the jobs; files stay.
  ///
  /// It may be called again after it was interrupted.
  ///
  /// - Throws: `batchNotFinished` while a job of it has not ended.
  package func delete(_ batch: BatchID) throws(JobStoreError) -> Int {
    guard try self.batch(batch).finishedMicroseconds != nil else { throw .batchNotFinished(batch) }
    var count = 0
    while true {
      let deleted = try transaction { () throws(JobStoreError) in
        let result = try query(deleteBatch, [.int64(batch.rawValue), .int32(deletionSlice)])
        return try wrapping { () throws(PostgresError) in try result[0].int(0) }
      }
      count += deleted
      if deleted < Int(deletionSlice) { return count }
    }
  }
}
