package import JobModel
internal import PostgresClient

private let selectWorkers = SQLStatement(
  "worker.reports",
  """
  SELECT id, host, pid, state, slots, threads, version,
    extract(epoch FROM clock_timestamp() - beat_at)::double precision
  FROM worker WHERE state < 2 ORDER BY id LIMIT $1
  """
)

extension JobStore {
  /// The workers that are not dead, the oldest first.
  package func workers(limit: Int = 1_000) throws(JobStoreError) -> [WorkerReport] {
    let result = try query(selectWorkers, [.int64(Int64(limit))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        WorkerReport(
          id: WorkerID(rawValue: try row.int64(0)),
          host: try row.text(1),
          processID: Int32(clamping: try row.int64(2)),
          state: WorkerState(rawValue: Int16(clamping: try row.int(3))) ?? .active,
          slots: try row.int(4),
          threads: try row.int(5),
          version: try row.text(6),
          secondsSinceBeat: max(0, try row.double(7))
        )
      }
    }
  }
}
