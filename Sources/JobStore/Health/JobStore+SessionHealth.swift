internal import PostgresClient

/// Sessions that keep dead rows from being removed, or wait inside a transaction.
private let selectTransactions = SQLStatement(
  "health.transactions",
  """
  SELECT pid::bigint, coalesce(usename::text, '?'), coalesce(application_name, ''),
    coalesce(host(client_addr), 'a local socket'), coalesce(state, ''),
    extract(epoch FROM clock_timestamp() - xact_start)::float8,
    extract(epoch FROM clock_timestamp() - state_change)::float8,
    backend_xmin IS NOT NULL OR backend_xid IS NOT NULL
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')
    AND (datname = current_database() OR backend_type = 'walsender')
    AND xact_start IS NOT NULL AND state_change IS NOT NULL
  ORDER BY xact_start
  """
)

/// What holds rows without a session.
private let selectOtherHolders = SQLStatement(
  "health.holders",
  """
  SELECT 'prepared', gid, extract(epoch FROM clock_timestamp() - prepared)::float8
  FROM pg_prepared_xacts WHERE database = current_database()
  UNION ALL
  SELECT 'slot', slot_name::text, 0::float8 FROM pg_replication_slots WHERE NOT active
  """
)

private let selectConnections = SQLStatement(
  "health.connections",
  """
  SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::float8,
    current_setting('max_connections')::float8,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type IS NULL AND pid <> pg_backend_pid())::bigint
  """
)

/// Who waits for a lock, and for whom.
private let selectBlocked = SQLStatement(
  "health.blocked",
  """
  SELECT pid::bigint, coalesce(application_name, ''),
    extract(epoch FROM clock_timestamp() - state_change)::float8,
    array_to_string(pg_blocking_pids(pid), ', ')
  FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND state_change IS NOT NULL
  ORDER BY state_change
  """
)

extension JobStore {
  /// Sessions of the server that stand in the queue's way.
  package func sessionHealth(_ limits: HealthLimits) throws(JobStoreError) -> [HealthFinding] {
    var findings: [HealthFinding] = []
    let transactions = try query(selectTransactions)
    let holders = try query(selectOtherHolders)
    let connections = try query(selectConnections)
    let blocked = try query(selectBlocked)
    try wrapping { () throws(PostgresError) in
      for index in 0..<transactions.rowCount {
        let row = transactions[index]
        let pid = try row.int64(0)
        let application = try row.text(2)
        let who =
          "session \(pid) (\(try row.text(1))\(application.isEmpty ? "" : ", \(application)"), "
          + "from \(try row.text(3)))"
        let state = try row.text(4)
        let open = try row.double(5)
        let idle = try row.double(6)
        let advice = "end its transaction, or run SELECT pg_terminate_backend(\(pid))"
        if state.hasPrefix("idle in transaction"), idle >= limits.idleSeconds {
          findings.append(
            HealthFinding(
              .warning,
              "idleInTransaction",
              "\(who) has been idle in a transaction for \(seconds(idle))",
              advice + "; idle_in_transaction_session_timeout does that by itself"
            )
          )
        }
        if try row.bool(7), open >= limits.transactionSeconds {
          findings.append(
            HealthFinding(
              open >= limits.transactionSeconds * 10 ? .critical : .warning,
              "snapshotHeld",
              "\(who) has had a transaction open for \(seconds(open)): dead rows can't be removed",
              advice
            )
          )
        }
      }
      for index in 0..<holders.rowCount {
        let row = holders[index]
        let name = try row.text(1)
        if try row.text(0) == "slot" {
          findings.append(
            HealthFinding(
              .warning,
              "slotInactive",
              "nobody reads replication slot \(name): WAL is kept until the disk is full",
              "start its reader, or run SELECT pg_drop_replication_slot('\(name)')"
            )
          )
        } else if try row.double(2) >= limits.transactionSeconds {
          findings.append(
            HealthFinding(
              .critical,
              "transactionPrepared",
              "the prepared transaction \(name) was left for \(seconds(try row.double(2)))",
              "COMMIT PREPARED or ROLLBACK PREPARED it"
            )
          )
        }
      }
      let used = try connections[0].double(0)
      let most = try connections[0].double(1)
      if used > most * limits.connectionShare {
        findings.append(
          HealthFinding(
            .warning,
            "connectionsScarce",
            "\(Int(used)) of \(Int(most)) connections are taken",
            "raise max_connections, or put PgBouncer in front; a worker takes two or three"
          )
        )
      }
      let hidden = try connections[0].int64(2)
      if hidden > 0 {
        findings.append(
          HealthFinding(
            .note,
            "sessionsHidden",
            "\(hidden) sessions of other users can't be looked at",
            "GRANT pg_read_all_stats TO this user"
          )
        )
      }
      for index in 0..<blocked.rowCount {
        let row = blocked[index]
        let waiting = try row.double(2)
        guard waiting >= limits.idleSeconds / 2 else { continue }
        let holders = try row.text(3)
        findings.append(
          HealthFinding(
            .warning,
            "lockAwaited",
            "session \(try row.int64(0)) (\(try row.text(1))) has waited \(seconds(waiting)) for a "
              + "lock of session \(holders)",
            "end that session's transaction"
          )
        )
      }
    }
    return findings
  }

  /// A duration for a sentence: `45 s`, `12 min`, `3.5 h`.
  func seconds(_ value: Double) -> String {
    if value < 120 { return "\(Int(value)) s" }
    if value < 7_200 { return "\(Int(value / 60)) min" }
    return "\(Double(Int(value / 360)) / 10) h"
  }
}
