package import JobModel
internal import PostgresClient

private let registerWorker = SQLStatement(
  "worker.register",
  """
  INSERT INTO worker (host, boot_id, pid, start_ticks, version, slots, threads, roots)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING id
  """
)

/// One heap-only update; the leases are looked up by the ids that the worker names.
private let beatWorker = SQLStatement(
  "worker.beat",
  """
  WITH me AS (
    UPDATE worker SET beat = beat + 1, beat_at = clock_timestamp()
    WHERE id = $1 AND state < 2
    RETURNING id, state
  ), held AS MATERIALIZED (
    SELECT h.job_id, l.job_id IS NULL AS is_lost,
      (SELECT b.state = 2 FROM job j JOIN batch b ON b.id = j.batch_id WHERE j.id = h.job_id)
        AS is_cancelled
    FROM unnest($2::bigint[], $3::uuid[]) AS h (job_id, token)
    LEFT JOIN lease l ON l.job_id = h.job_id AND l.token = h.token
  )
  SELECT state,
    ARRAY(SELECT job_id FROM held WHERE is_cancelled AND NOT is_lost),
    ARRAY(SELECT job_id FROM held WHERE is_lost)
  FROM me
  """
)

private let setWorkerState = SQLStatement(
  "worker.state",
  """
  UPDATE worker SET state = $2, ended_at = CASE WHEN $2 = 2 THEN clock_timestamp() END
  WHERE id = $1 AND state < $2
  """
)

private let liveWorkers = SQLStatement(
  "worker.live",
  "SELECT id, beat FROM worker WHERE state < 2 ORDER BY id"
)

private let liveWorkersOnHost = SQLStatement(
  "worker.liveOnHost",
  """
  SELECT id, boot_id, pid, start_ticks, version, slots, threads, roots
  FROM worker WHERE state < 2 AND host = $1 ORDER BY id
  """
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
