package import JobModel
internal import PostgresClient

private let registerWorker = SQLStatement(
  "worker.register",
  "SELECT register_worker($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
)

private let beatWorker = SQLStatement(
  "worker.beat",
  "SELECT state, cancelled, lost FROM beat_worker($1, $2, $3)"
)

private let setWorkerState = SQLStatement("worker.state", "SELECT 1 FROM set_worker_state($1, $2)")

private let selectHeavyWaiting = SQLStatement("job.heavyWaiting", "SELECT heavy_waiting($1)")

private let liveWorkers = SQLStatement("worker.live", "SELECT id, beat FROM live_workers()")

private let liveWorkersOnHost = SQLStatement(
  "worker.liveOnHost",
  "SELECT id, boot_id, pid, start_ticks, version, slots, threads, roots FROM workers_on_host($1)"
)

extension JobStore {
  /// Begins the life of a worker.
  package func register(_ worker: WorkerSpecification) throws(JobStoreError) -> WorkerID {
    let result = try query(
      registerWorker,
      [
        .text(databaseText(worker.host)), .text(databaseText(worker.bootID)),
        .int32(worker.processID), .int64(worker.processStartTicks),
        .text(databaseText(worker.version)), .int32(Int32(clamping: worker.slots)),
        .int32(Int32(clamping: worker.threads)),
        .textArray(worker.roots.sorted().map { databaseText($0) }),
        .int64(worker.memory?.slot ?? 0), .int64(worker.memory?.whole ?? 0),
      ]
    )
    return try wrapping { () throws(PostgresError) in WorkerID(rawValue: try result[0].int64(0)) }
  }

  /// Says that a worker lives, and asks after the leases that it holds.
  ///
  /// A worker that nobody knows, or that was given up, is dead: it must stop all its work, for others
  /// have it, and register anew.
  package func beat(_ worker: WorkerID, holding leases: [Lease]) throws(JobStoreError) -> Heartbeat
  {
    let result = try query(
      beatWorker,
      [
        .int64(worker.rawValue), .int64Array(leases.map(\.job.rawValue)),
        .uuidArray(leases.map { UUIDValue($0.token) }),
      ]
    )
    guard result.rowCount == 1 else {
      return Heartbeat(state: .dead, lost: leases.map(\.job))
    }
    return try wrapping { () throws(PostgresError) in
      Heartbeat(
        state: WorkerState(rawValue: Int16(clamping: try result[0].int(0))) ?? .dead,
        cancelled: try result[0].int64Array(1).map { JobID(rawValue: $0) },
        lost: try result[0].int64Array(2).map { JobID(rawValue: $0) }
      )
    }
  }

  /// The least memory in bytes that a waiting job needs which is more than a slot of a worker has, but not
  /// more than the worker has; nil where none waits.
  package func heavyWaiting(_ worker: WorkerID) throws(JobStoreError) -> Int64? {
    let result = try query(selectHeavyWaiting, [.int64(worker.rawValue)])
    return try wrapping { () throws(PostgresError) in try result[0].optionalInt64(0) }
  }

  /// Has a worker claim no more; its heartbeat and its leases go on.
  package func drain(_ worker: WorkerID) throws(JobStoreError) {
    try query(setWorkerState, [.int64(worker.rawValue), .int16(WorkerState.draining.rawValue)])
  }

  /// Ends the life of a worker; leases that it still has are rescued by the next `rescue`.
  package func retire(_ worker: WorkerID) throws(JobStoreError) {
    try query(setWorkerState, [.int64(worker.rawValue), .int16(WorkerState.dead.rawValue)])
  }

  /// Every worker that is not dead, with its beat, for a `WorkerWatch`.
  package func beats() throws(JobStoreError) -> [WorkerBeat] {
    let result = try query(liveWorkers)
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        WorkerBeat(worker: WorkerID(rawValue: try row.int64(0)), beat: try row.int64(1))
      }
    }
  }

  /// Every worker of a host that is not dead, so that one whose process is gone can be retired
  /// without waiting for its heartbeat to be missed.
  package func workers(
    onHost host: String
  ) throws(JobStoreError) -> [(id: WorkerID, worker: WorkerSpecification)] {
    let result = try query(liveWorkersOnHost, [.text(databaseText(host))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        (
          WorkerID(rawValue: try row.int64(0)),
          WorkerSpecification(
            host: host,
            bootID: try row.text(1),
            processID: Int32(clamping: try row.int64(2)),
            processStartTicks: try row.int64(3),
            version: try row.text(4),
            slots: try row.int(5),
            threads: try row.int(6),
            roots: Set(try row.textArray(7))
          )
        )
      }
    }
  }
}
