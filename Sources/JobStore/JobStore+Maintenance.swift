internal import FileSystem
internal import JobModel
internal import PostgresClient

private let openSubmissions = SQLStatement(
  "submission.open",
  "SELECT batch_id, beat FROM open_submissions()"
)

private let keepHouse = SQLStatement("maintenance.house", "SELECT keep_house($1, $2)")

private let tidyBatches = SQLStatement("batch.tidy", "SELECT 1 FROM tidy_batches()")

private let sweepCancelled = SQLStatement(
  "batch.sweepCancelled",
  "SELECT 1 FROM sweep_cancelled($1)"
)

/// Jobs of each cancelled batch that one turn ends.
private let sweepSlice: Int64 = 10_000

extension JobStore {
  /// Folds progress, pauses batches whose jobs fail alike, promotes delayed jobs, rescues those of dead
  /// workers, sets bad hosts aside, sweeps cancelled batches, seals those whose submitter died, ends
  /// finished ones and tells of them, moves the heads of batches on; does nothing if another process is at
  /// it.
  ///
  /// Meant to be called about once a second by every worker and every `run`. It never waits for
  /// another process that does the same. `now` is monotonic time from any origin.
  ///
  /// - Returns: Whether it was this process's turn.
  @discardableResult
  package func maintain(
    now: Duration = SystemInformation.monotonicTime
  ) throws(JobStoreError) -> Bool {
    let lost = submissions.observe(try submissionBeats(), now: now)
    let isTurn = try isTrue(
      query(
        keepHouse,
        [.int64Array(lost.map(\.batch.rawValue)), .int64Array(lost.map(\.beat))]
      )
    )
    // What follows is safe in any number of processes; each step is a transaction of its own, so that
    // no lock is held from one to the next.
    try promote()
    try rescue()
    if isTurn {
      try query(tidyBatches)
      try query(sweepCancelled, [.int64(sweepSlice)])
      try judgeHosts()
    }
    return isTurn
  }

  private func submissionBeats() throws(JobStoreError) -> [SubmissionBeat] {
    let result = try query(openSubmissions)
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        SubmissionBeat(batch: BatchID(rawValue: try row.int64(0)), beat: try row.int64(1))
      }
    }
  }
}
