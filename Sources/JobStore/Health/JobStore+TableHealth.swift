internal import PostgresClient

private let selectTables = SQLStatement(
  "health.tables",
  """
  SELECT s.relname::text, s.n_live_tup::float8, s.n_dead_tup::float8,
    s.last_vacuum IS NULL AND s.last_autovacuum IS NULL,
    s.last_analyze IS NULL AND s.last_autoanalyze IS NULL,
    coalesce((SELECT bool_or(option ~ '^autovacuum_enabled=(false|off|no|0)$')
      FROM unnest(c.reloptions) AS option), false)
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname = current_schema
  ORDER BY s.relname
  """
)

private let selectIndexes = SQLStatement(
  "health.indexes",
  """
  SELECT c.relname::text, pg_relation_size(c.oid)::float8, c.reltuples::float8
  FROM pg_class c
  WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'i' AND c.reltuples >= 0
    AND pg_relation_size(c.oid) >= $1::float8
  ORDER BY c.relname
  """
)

/// Up to when each table that is partitioned by time has partitions, in days from now.
private let selectPartitions = SQLStatement(
  "health.partitions",
  """
  SELECT p.relname::text, coalesce(extract(epoch FROM max(
    (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)'))[1]::timestamptz)
    - clock_timestamp()) / 86400, -1)::float8
  FROM pg_class p LEFT JOIN pg_inherits i ON i.inhparent = p.oid
    LEFT JOIN pg_class c ON c.oid = i.inhrelid
  WHERE p.relnamespace = current_schema::regnamespace AND p.relkind = 'p'
  GROUP BY p.relname ORDER BY p.relname
  """
)

extension JobStore {
  /// Tables, indexes and partitions of the schema that need care.
  package func tableHealth(_ limits: HealthLimits) throws(JobStoreError) -> [HealthFinding] {
    let tables = try query(selectTables)
    let indexes = try query(selectIndexes, [.double(limits.indexBytes)])
    let partitions = try query(selectPartitions)
    let schema = connection.settings.searchPath ?? Self.defaultSchema
    var findings: [HealthFinding] = []
    try wrapping { () throws(PostgresError) in
      for index in 0..<tables.rowCount {
        let row = tables[index]
        let name = "\(schema).\(try row.text(0))"
        let live = try row.double(1)
        let dead = try row.double(2)
        if dead >= limits.deadRows, dead * 3 > live {
          findings.append(
            HealthFinding(
              .warning,
              "deadRows",
              "\(name) has \(Int(dead)) dead rows beside \(Int(live)) live ones: claims slow down",
              "look for snapshotHeld first, then run VACUUM \(name)"
            )
          )
        }
        let isUntended = try (row.bool(3), row.bool(4))
        if live + dead >= limits.untendedRows, isUntended.0 || isUntended.1 {
          findings.append(
            HealthFinding(
              .warning,
              "tableUntended",
              "\(name) has \(Int(live + dead)) rows and was never "
                + (isUntended.0 ? "vacuumed" : "analysed"),
              "run VACUUM (ANALYZE) \(name), and see why autovacuum does not"
            )
          )
        }
        if try row.bool(5) {
          findings.append(
            HealthFinding(
              .warning,
              "autovacuumOff",
              "autovacuum is switched off for \(name)",
              "ALTER TABLE \(name) RESET (autovacuum_enabled)"
            )
          )
        }
      }
      for index in 0..<indexes.rowCount {
        let row = indexes[index]
        let name = "\(schema).\(try row.text(0))"
        let bytes = try row.double(1)
        let rows = try row.double(2)
        guard bytes > limits.indexBytesPerRow * max(1, rows) else { continue }
        findings.append(
          HealthFinding(
            .note,
            "indexBloated",
            "\(name) takes \(Int(bytes / 1e6)) MB for \(Int(rows)) rows",
            "REINDEX INDEX CONCURRENTLY \(name)"
          )
        )
      }
      for index in 0..<partitions.rowCount {
        let row = partitions[index]
        let days = try row.double(1)
        guard days < limits.partitionDays else { continue }
        findings.append(
          HealthFinding(
            days < 3 ? .critical : .warning,
            "partitionsMissing",
            days < 0
              ? "\(schema).\(try row.text(0)) has no partition for today"
              : "\(schema).\(try row.text(0)) has partitions for \(Int(days)) more days",
            "start a worker, or run rawmill database migrate: either makes them"
          )
        )
      }
    }
    return findings
  }
}
