internal import PostgresClient

/// The newest batches that are not finished: the number of series stays bounded.
private let selectOpenBatches = SQLStatement(
  "figures.batches",
  """
  SELECT b.id, b.state::bigint, b.total, coalesce(p.done, 0), coalesce(p.failed, 0),
    coalesce(p.cancelled, 0) + coalesce(p.skipped, 0),
    (SELECT count(*) FROM lease l WHERE l.batch_id = b.id), coalesce(p.pixels, 0),
    coalesce(p.input_bytes, 0), coalesce(p.output_bytes, 0)
  FROM batch b LEFT JOIN progress p ON p.batch_id = b.id
  WHERE b.finished_at IS NULL ORDER BY b.id DESC LIMIT 100
  """
)

private let selectLiveWorkers = SQLStatement(
  "figures.workers",
  """
  SELECT host, version, state = 1, slots::bigint,
    (SELECT count(*) FROM lease l WHERE l.worker_id = w.id),
    extract(epoch FROM clock_timestamp() - beat_at)::float8
  FROM worker w WHERE state < 2 ORDER BY id
  """
)

private let selectTableFigures = SQLStatement(
  "figures.tables",
  """
  SELECT relname::text, n_live_tup::float8, n_dead_tup::float8,
    pg_total_relation_size(relid)::float8
  FROM pg_stat_user_tables WHERE schemaname = current_schema
    AND relname IN ('job', 'lease', 'worker', 'batch', 'tally', 'progress', 'output', 'provenance')
  ORDER BY relname
  """
)

private let selectFigures = SQLStatement(
  "figures.farm",
  """
  SELECT
    (SELECT count(*) FROM batch WHERE finished_at IS NULL),
    (SELECT count(*) FROM batch WHERE finished_at IS NULL AND state = 1),
    coalesce(extract(epoch FROM clock_timestamp() - (SELECT min(claimed_at) FROM lease)), 0)::float8,
    coalesce(extract(epoch FROM clock_timestamp() - (
      SELECT min(xact_start) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend')), 0)::float8,
    greatest(0, coalesce(extract(epoch FROM clock_timestamp()
      - (SELECT min(run_at) FROM job WHERE run_at IS NOT NULL)), 0))::float8,
    (SELECT count(*) FROM delivery WHERE delivered_at IS NULL AND given_up_at IS NULL)
  """
)

extension JobStore {
  /// The farm in figures; a handful of statements over small tables, whatever the number of jobs.
  package func figures() throws(JobStoreError) -> FarmFigures {
    let batches = try query(selectOpenBatches)
    let workers = try query(selectLiveWorkers)
    let tables = try query(selectTableFigures)
    let farm = try query(selectFigures)
    let version = try schemaVersion()
    return try wrapping { () throws(PostgresError) in
      var figures = FarmFigures()
      figures.batches = try batches.map { (row) throws(PostgresError) in
        FarmFigures.OpenBatch(
          id: try row.int64(0),
          state: try row.int64(1),
          total: try row.int64(2),
          done: try row.int64(3),
          failed: try row.int64(4),
          cancelled: try row.int64(5),
          running: try row.int64(6),
          pixels: try row.int64(7),
          inputBytes: try row.int64(8),
          outputBytes: try row.int64(9)
        )
      }
      figures.workers = try workers.map { (row) throws(PostgresError) in
        FarmFigures.LiveWorker(
          host: try row.text(0),
          version: try row.text(1),
          isDraining: try row.bool(2),
          slots: try row.int64(3),
          running: try row.int64(4),
          beatAgeSeconds: try row.double(5)
        )
      }
      figures.tables = try tables.map { (row) throws(PostgresError) in
        FarmFigures.Table(
          name: try row.text(0),
          liveRows: try row.double(1),
          deadRows: try row.double(2),
          bytes: try row.double(3)
        )
      }
      figures.openBatches = try farm[0].int64(0)
      figures.pausedBatches = try farm[0].int64(1)
      figures.oldestLeaseSeconds = try farm[0].double(2)
      figures.oldestTransactionSeconds = try farm[0].double(3)
      figures.oldestOverdueSeconds = try farm[0].double(4)
      figures.undelivered = try farm[0].int64(5)
      figures.schemaVersion = Int64(version)
      return figures
    }
  }
}
