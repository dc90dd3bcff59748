internal import PostgresClient

/// `reset_val`: this session has set some of them for itself.
private let selectSettings = SQLStatement(
  "health.settings",
  """
  SELECT name, coalesce(reset_val, '') FROM pg_settings WHERE name IN (
    'fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'track_counts',
    'zero_damaged_pages', 'ignore_checksum_failure', 'data_checksums')
  """
)

private let selectSelf = SQLStatement(
  "health.self",
  """
  SELECT current_user::text, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
    (SELECT max(age(datfrozenxid)) FROM pg_database)::float8
  """
)

extension JobStore {
  /// Settings of the server that break what the queue promises.
  ///
  /// `isOwnServer`: rawmill's own cluster, whose one user is its superuser.
  package func settingHealth(isOwnServer: Bool) throws(JobStoreError) -> [HealthFinding] {
    let settings = try query(selectSettings)
    let own = try query(selectSelf)
    return try wrapping { () throws(PostgresError) in
      var values: [String: String] = [:]
      for index in 0..<settings.rowCount {
        values[try settings[index].text(0)] = try settings[index].text(1)
      }
      var findings = Self.settingFindings(values)
      if try own[0].bool(1), !isOwnServer {
        findings.append(
          HealthFinding(
            .warning,
            "superuser",
            "this program works as \(try own[0].text(0)), a superuser, whom nothing is forbidden",
            "give each program a role of rawmill_worker, rawmill_submitter, rawmill_reader or "
              + "rawmill_admin: rawmill database grant makes these"
          )
        )
      }
      let age = try own[0].double(2)
      if age > 1e9 {
        findings.append(
          HealthFinding(
            age > 1.6e9 ? .critical : .warning,
            "transactionIDsScarce",
            "the oldest row is \(Int(age / 1e6)) million transactions old; at 2,147 million the server "
              + "stops taking writes",
            "look for snapshotHeld, then VACUUM FREEZE the oldest tables"
          )
        )
      }
      return findings
    }
  }

  /// What is wrong with settings by their names; a name that is missing counts as right.
  package static func settingFindings(_ values: [String: String]) -> [HealthFinding] {
    var findings: [HealthFinding] = []
    for name in ["fsync", "full_page_writes"] where values[name] == "off" {
      findings.append(
        HealthFinding(
          .critical,
          "settingUnsafe",
          "\(name) is off: a crash of the server's machine may destroy the database",
          "ALTER SYSTEM SET \(name) = on, and reload"
        )
      )
    }
    for name in ["zero_damaged_pages", "ignore_checksum_failure"] where values[name] == "on" {
      findings.append(
        HealthFinding(
          .critical,
          "settingUnsafe",
          "\(name) is on: damage to the database is hidden",
          "ALTER SYSTEM RESET \(name), and reload"
        )
      )
    }
    if values["synchronous_commit"] == "off" {
      findings.append(
        HealthFinding(
          .critical,
          "settingUnsafe",
          "synchronous_commit is off by default: through a pooler that drops session settings, a crash "
            + "would lose results that were reported as done",
          "ALTER SYSTEM SET synchronous_commit = on, and reload; rawmill switches it off for heartbeats "
            + "by itself"
        )
      )
    }
    for name in ["autovacuum", "track_counts"] where values[name] == "off" {
      findings.append(
        HealthFinding(
          .critical,
          "autovacuumOff",
          "\(name) is off: dead rows are never removed",
          "ALTER SYSTEM SET \(name) = on, and reload"
        )
      )
    }
    if values["data_checksums"] == "off" {
      findings.append(
        HealthFinding(
          .note,
          "checksumsOff",
          "the server has no data checksums: a disk that changes bytes goes unnoticed",
          "pg_checksums --enable, while the server is stopped"
        )
      )
    }
    return findings
  }
}
