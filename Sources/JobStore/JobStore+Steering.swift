internal import FileSystem
package import JobModel
internal import PostgresClient

private let cancelBatch = SQLStatement("batch.cancel", "SELECT steer_cancel($1, $2)::int")

private let pauseBatch = SQLStatement("batch.pause", "SELECT steer_pause($1, $2, $3)::int")

private let resumeBatch = SQLStatement("batch.resume", "SELECT steer_resume($1, $2)::int")

private let setCapStatement = SQLStatement("batch.cap", "SELECT set_batch_cap($1, $2)")

private let setPriorityStatement = SQLStatement(
  "batch.priority",
  "SELECT set_batch_priority($1, $2)::int"
)

private let setWeightStatement = SQLStatement("batch.weight", "SELECT set_batch_weight($1, $2)")

private let sweepBatch = SQLStatement("batch.sweep", "SELECT sweep_batch($1, $2, $3)")

private let retryFailedJobs = SQLStatement(
  "batch.retry",
  "SELECT again, held, last FROM retry_failed($1, $2, $3, $4, $5, $6)"
)

private let drainStatement = SQLStatement("worker.drain", "SELECT drain_worker($1)::int")

extension JobStore {
  /// Cancels a batch: no more of its jobs start, and running ones are stopped at their worker's next
  /// heartbeat.
  ///
  /// Its waiting jobs end as cancelled, slice by slice, for as long as `goesOn` says so after a slice;
  /// maintenance ends the others. `actor` is who does it, for the batch's events.
  ///
  /// - Returns: The state before; a finished batch stays as it is.
  @discardableResult
  package func cancel(
    _ batch: BatchID,
    by actor: String = QueueEvent.queueActor,
    goesOn: () -> Bool = { true }
  ) throws(JobStoreError) -> BatchState {
    let before = try steer(batch, cancelBatch, [actor])
    if before != .finished { try sweep(batch, goesOn: goesOn) }
    return before
  }

  /// Has no more of a batch's jobs claimed; gives the state before.
  @discardableResult
  package func pause(
    _ batch: BatchID,
    by actor: String = QueueEvent.queueActor,
    reason: String = ""
  ) throws(JobStoreError) -> BatchState {
    try steer(batch, pauseBatch, [actor, reason])
  }

  /// Has a paused batch's jobs claimed again; gives the state before.
  @discardableResult
  package func resume(
    _ batch: BatchID,
    by actor: String = QueueEvent.queueActor
  ) throws(JobStoreError) -> BatchState {
    try steer(batch, resumeBatch, [actor])
  }

  /// Sets what is served first among batches; gives the priority before.
  @discardableResult
  package func setPriority(of batch: BatchID, to priority: Int) throws(JobStoreError) -> Int {
    try naming(batch) { () throws(JobStoreError) in
      let result = try query(
        setPriorityStatement,
        [.int64(batch.rawValue), .int16(Int16(clamping: priority))]
      )
      return try wrapping { () throws(PostgresError) in try result[0].int(0) }
    }
  }

  /// Sets the share among batches of equal priority, greater than 0; gives the weight before.
  @discardableResult
  package func setWeight(of batch: BatchID, to weight: Double) throws(JobStoreError) -> Double {
    try naming(batch) { () throws(JobStoreError) in
      let result = try query(setWeightStatement, [.int64(batch.rawValue), .double(weight)])
      return try wrapping { () throws(PostgresError) in try result[0].double(0) }
    }
  }

  /// Sets how many of a batch's jobs may run at once, nil for any number; gives the cap before.
  @discardableResult
  package func setCap(of batch: BatchID, to cap: Int?) throws(JobStoreError) -> Int? {
    try naming(batch) { () throws(JobStoreError) in
      let result = try query(
        setCapStatement,
        [.int64(batch.rawValue), .optional(cap.map { Int32(clamping: $0) })]
      )
      return try wrapping { () throws(PostgresError) in try result[0].optionalInt(0) }
    }
  }

  /// Has failed jobs of a batch done again: all, those with a code, those of some inputs.
  ///
  /// Slice by slice, each a transaction; `progress` is told the sum after each.
  @discardableResult
  package func retryFailed(
    of batch: BatchID,
    code: String? = nil,
    inputs: [FileLocation]? = nil,
    progress: (RetryResult) -> Void = { _ in }
  ) throws(JobStoreError) -> RetryResult {
    var sum = RetryResult()
    var pace = SlicePace()
    var last: Int64? = 0
    while let after = last {
      let start = SystemInformation.monotonicTime
      let paths = inputs?.map(\.path.bytes)
      let part = try naming(batch) { () throws(JobStoreError) in
        try transaction { () throws(JobStoreError) in
          let result = try query(
            retryFailedJobs,
            [
              .int64(batch.rawValue), .optional(code.map { databaseText($0) }),
              inputs.map { .textArray($0.map { databaseText($0.root) }) } ?? .null(.textArray),
              paths.map { .bytesArray($0) } ?? .null(.byteaArray),
              .int64(after), .int64(pace.count),
            ]
          )
          return try wrapping { () throws(PostgresError) in
            (try result[0].int(0), try result[0].int(1), try result[0].optionalInt64(2))
          }
        }
      }
      sum.again += part.0
      sum.held += part.1
      last = part.2
      pace.took(SystemInformation.monotonicTime - start)
      progress(sum)
    }
    return sum
  }

  /// Has a worker claim no more and end when what it has is done; gives the state before.
  @discardableResult
  package func drainWorker(_ worker: WorkerID) throws(JobStoreError) -> WorkerState {
    do throws(JobStoreError) {
      let result = try query(drainStatement, [.int64(worker.rawValue)])
      let state = try wrapping { () throws(PostgresError) in try result[0].int(0) }
      return WorkerState(rawValue: Int16(clamping: state)) ?? .dead
    } catch {
      guard error.isNoData else { throw error }
      throw .workerMissing(worker)
    }
  }

  /// Ends the waiting jobs of a cancelled batch, slice by slice.
  func sweep(_ batch: BatchID, goesOn: () -> Bool = { true }) throws(JobStoreError) {
    var pace = SlicePace()
    var last: Int64 = 0
    repeat {
      let start = SystemInformation.monotonicTime
      let result = try query(
        sweepBatch,
        [.int64(batch.rawValue), .int64(last), .int64(pace.count)]
      )
      let next = try wrapping { () throws(PostgresError) in try result[0].optionalInt64(0) }
      guard let next else { return }
      last = next
      pace.took(SystemInformation.monotonicTime - start)
    } while goesOn()
  }

  private func steer(
    _ batch: BatchID,
    _ statement: SQLStatement,
    _ texts: [String]
  ) throws(JobStoreError) -> BatchState {
    try naming(batch) { () throws(JobStoreError) in
      let result = try query(
        statement,
        [.int64(batch.rawValue)] + texts.map { .text(databaseText($0)) }
      )
      let state = try wrapping { () throws(PostgresError) in try result[0].int(0) }
      return BatchState(rawValue: Int16(clamping: state)) ?? .finished
    }
  }

  /// Runs `body`, which steers a batch, with the functions' refusals as errors about it.
  private func naming<Value>(
    _ batch: BatchID,
    _ body: () throws(JobStoreError) -> Value
  ) throws(JobStoreError) -> Value {
    do throws(JobStoreError) {
      return try body()
    } catch {
      if error.isNoData { throw .batchMissing(batch) }
      if case .postgres(let cause) = error, cause.state == .objectNotInPrerequisiteState {
        throw .batchCancelled(batch)
      }
      throw error
    }
  }
}

extension JobStoreError {
  /// Whether a function found no row with the number that it was given.
  fileprivate var isNoData: Bool {
    guard case .postgres(let cause) = self else { return false }
    return cause.state == .noDataFound
  }
}
