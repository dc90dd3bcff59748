internal import Digest
package import PostgresClient

/// Brings a database's schema to the version of the migrations' files.
package struct Migrator: Sendable {
  /// The schema version that this program's statements are written for.
  package static let programVersion = 12

  package let migrations: [Migration]
  package let schema: String
  /// How long a migration waits for a lock before it lets those pass who wait behind it, and tries anew.
  ///
  /// Whoever wants a table waits behind one who waits for all of it: without this, one long transaction
  /// would stop the whole farm.
  package var lockTimeoutMilliseconds = 1_000
  /// How often a migration is tried: with the pauses between, for about five minutes.
  package var lockAttempts = 200
  /// Told each time that a migration gave way, with its version.
  package var onWait: @Sendable (Int) -> Void = { _ in }
  /// Told, at the end, the names of the groups of roles that are missing because the session's user may not
  /// make roles; not called where none is missing.
  package var onMissingRoles: @Sendable ([String]) -> Void = { _ in }

  package init(migrations: [Migration], schema: String = JobStore.defaultSchema) {
    self.migrations = migrations
    self.schema = schema
  }

  /// Applies what is missing, in order, each in a transaction of its own, and gives the versions that
  /// it applied.
  ///
  /// Processes that migrate at once wait for each other. A migration that was applied with another
  /// content, or that has no file here, is an error before anything is changed.
  @discardableResult
  package func migrate(_ address: DatabaseAddress) throws(JobStoreError) -> [Int] {
    guard !address.isPooled else {
      throw .postgres(
        .invalidConnectionString(
          reason: "migrations need the server itself: no pooling=transaction"
        )
      )
    }
    // An index on a large table takes its time: no statement timeout.
    let settings = SessionSettings(
      applicationName: "rawmill database migrate",
      searchPath: schema,
      statementTimeoutMilliseconds: 0,
      lockTimeoutMilliseconds: 0,
      idleInTransactionTimeoutMilliseconds: 0
    )
    let connection: PostgresConnection = try wrapping { () throws(PostgresError) in
      try PostgresConnection.open(address, settings)
    }
    // A session lock: it ends with the connection, whatever happens.
    try run(connection, lockMigrations, [.text("rawmill.migrate.\(schema)")])
    try wrapping { () throws(PostgresError) in
      try connection.execute(
        "CREATE SCHEMA IF NOT EXISTS \(quotedIdentifier(schema)); " + createMigrationTable,
        named: "migration table"
      )
    }
    let applied = try check(connection)
    var versions: [Int] = []
    for migration in migrations.dropFirst(applied) {
      try apply(migration, connection)
      versions.append(migration.version)
    }
    try wrapping { () throws(PostgresError) in
      try connection.execute("SELECT ensure_partitions(3)", named: "partitions")
    }
    let missing = try roleNames(connection, versions.isEmpty ? selectMissingRoles : grantAll)
    if !missing.isEmpty { onMissingRoles(missing) }
    return versions
  }

  /// Makes the groups of roles that are missing, gives them their rights in the schema, and gives the
  /// names of those that the session's user may not make.
  ///
  /// Every migration does so; by itself for when somebody who may has made the roles since.
  package func grantRights(_ address: DatabaseAddress) throws(JobStoreError) -> [String] {
    let settings = SessionSettings(applicationName: "rawmill database grant", searchPath: schema)
    let connection: PostgresConnection = try wrapping { () throws(PostgresError) in
      try PostgresConnection.open(address, settings)
    }
    try Self.requireCurrent(connection, schema: schema)
    try run(connection, lockMigrations, [.text("rawmill.migrate.\(schema)")])
    return try roleNames(connection, grantAll)
  }

  /// The names that a statement about groups of roles gives; none where the schema has no such groups.
  private func roleNames(
    _ connection: PostgresConnection,
    _ statement: SQLStatement
  ) throws(JobStoreError) -> [String] {
    let exists = try run(connection, hasGrants)
    guard try wrapping({ () throws(PostgresError) in try exists[0].bool(0) }) else { return [] }
    let missing = try run(connection, statement)
    return try wrapping { () throws(PostgresError) in
      try missing.map { (row) throws(PostgresError) in try row.text(0) }
    }
  }

  /// Every migration that was applied, and every file, with whether it is applied.
  package func status(
    _ address: DatabaseAddress
  ) throws(JobStoreError) -> [(version: Int, name: String, isApplied: Bool)] {
    let settings = SessionSettings(applicationName: "rawmill database status", searchPath: schema)
    let connection: PostgresConnection = try wrapping { () throws(PostgresError) in
      try PostgresConnection.open(address, settings)
    }
    let applied: Int
    do throws(JobStoreError) {
      applied = try check(connection)
    } catch {
      guard case .postgres(let cause) = error, cause.isMissingTable else { throw error }
      applied = 0
    }
    return migrations.map { ($0.version, $0.name, $0.version <= applied) }
  }

  /// Compares what was applied with the files, and gives the number of applied migrations.
  private func check(_ connection: PostgresConnection) throws(JobStoreError) -> Int {
    let result = try run(connection, selectMigrations)
    for index in 0..<result.rowCount {
      let (version, name) = try wrapping { () throws(PostgresError) in
        (try result[index].int(0), try result[index].text(1))
      }
      guard index < migrations.count, version == migrations[index].version else {
        throw .migrationUnknown(version: version, name: name)
      }
      let checksum = try result[index].digest(2, "migration.checksum")
      guard checksum == migrations[index].checksum else {
        throw .migrationChanged(version: version, name: migrations[index].name)
      }
    }
    return result.rowCount
  }

  private func apply(
    _ migration: Migration,
    _ connection: PostgresConnection
  ) throws(JobStoreError) {
    let pause: (Int) -> Void = { attempt in
      onWait(migration.version)
      TransactionPause.wait(attempt: attempt)
    }
    try wrapping { () throws(PostgresError) in
      try connection.retryingTransaction(
        attempts: lockAttempts,
        pause: pause
      ) { (connection) throws(PostgresError) in
        try connection.execute(
          "SET LOCAL lock_timeout = \(lockTimeoutMilliseconds)",
          named: "lock timeout"
        )
        // What functions take FROM CURRENT: one that runs with its owner's rights must not look into its
        // caller's temporary tables first, as it does where they stand nowhere in the path.
        try connection.execute(
          "SET LOCAL search_path = \(quotedIdentifier(schema)), pg_temp",
          named: "migration path"
        )
        try connection.execute(migration.sql, named: "migration \(migration.version)")
        try connection.query(
          insertMigration,
          [
            .int32(Int32(clamping: migration.version)), .text(migration.name),
            .bytes(migration.checksum.bytes),
          ]
        )
      }
    }
  }

  @discardableResult
  private func run(
    _ connection: PostgresConnection,
    _ statement: SQLStatement,
    _ parameters: [PostgresParameter] = []
  ) throws(JobStoreError) -> PostgresResult {
    try wrapping { () throws(PostgresError) in try connection.query(statement, parameters) }
  }

  /// The version of a database's schema.
  static func version(
    _ connection: PostgresConnection,
    schema: String
  ) throws(JobStoreError) -> Int {
    do throws(PostgresError) {
      do throws(PostgresError) {
        return try connection.query(schemaVersion)[0].int(0)
      } catch {
        // An older schema has no such function, and workers may not read the table.
        guard error.state == .undefinedFunction else { throw error }
        return try connection.query(selectVersion)[0].int(0)
      }
    } catch {
      guard error.isMissingTable else { throw .postgres(error) }
      // Who may not use a schema finds nothing in it, as if it were not there.
      let isClosed = try wrapping { () throws(PostgresError) in
        try connection.query(selectIsClosed, [.text(schema)])[0].bool(0)
      }
      throw isClosed ? .schemaClosed(schema: schema) : .schemaMissing(schema: schema)
    }
  }

  /// Refuses a database whose schema is missing or of another version than the program's.
  static func requireCurrent(
    _ connection: PostgresConnection,
    schema: String,
    accepting: JobStore.SchemaAcceptance = .current
  ) throws(JobStoreError) {
    let found = try version(connection, schema: schema)
    let isAccepted =
      switch accepting {
      case .current: found == programVersion
      case .currentOrNewer: found >= programVersion
      case .any: true
      }
    guard isAccepted else { throw .schemaVersion(found: found, expected: programVersion) }
  }
}

extension PostgresError {
  fileprivate var isMissingTable: Bool {
    state == .undefinedTable || state == .invalidSchemaName
  }
}

private let createMigrationTable = """
  CREATE TABLE IF NOT EXISTS migration (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )
  """

private let lockMigrations = SQLStatement(
  "migration.lock",
  "SELECT 1 FROM pg_advisory_lock(hashtextextended($1, 0))"
)

private let selectMigrations = SQLStatement(
  "migration.select",
  "SELECT version, name, checksum FROM migration ORDER BY version"
)

private let insertMigration = SQLStatement(
  "migration.insert",
  "INSERT INTO migration (version, name, checksum) VALUES ($1, $2, $3)"
)

private let schemaVersion = SQLStatement("migration.schemaVersion", "SELECT schema_version()")

private let selectIsClosed = SQLStatement(
  "migration.isClosed",
  """
  SELECT EXISTS (
    SELECT FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE'))
  """
)

private let selectVersion = SQLStatement(
  "migration.version",
  "SELECT coalesce(max(version), 0) FROM migration"
)

/// A test's migrations, or the first of the program's, have no such function.
private let hasGrants = SQLStatement(
  "migration.hasGrants",
  "SELECT to_regproc('grant_rights') IS NOT NULL"
)

private let grantAll = SQLStatement(
  "migration.grant",
  "SELECT name::text FROM grant_rights() AS name"
)

private let selectMissingRoles = SQLStatement(
  "migration.missingRoles",
  """
  SELECT g.name::text FROM (
    SELECT role_name FROM function_right UNION SELECT 'rawmill_admin'
  ) AS g (name) WHERE to_regrole(g.name) IS NULL ORDER BY g.name
  """
)
