import DatabaseTestSupport
import Digest
import FileSystem
import JobModel
import JobStore
import PostgresClient
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct MigratorTests {
  private let real = PackageFolder.path("migrations")

  private func connection(_ schema: String) throws -> PostgresConnection {
    try PostgresConnection.open(
      TestCluster.address(),
      SessionSettings(applicationName: "test", searchPath: schema)
    )
  }

  @Test
  func migrationsAreAppliedOnceInOrder() throws {
    let schema = "migrate_once"
    let migrator = Migrator(migrations: try Migration.load(from: real), schema: schema)
    let address = try TestCluster.address()
    #expect(try migrator.status(address).map(\.isApplied) == migrator.migrations.map { _ in false })
    #expect(throws: JobStoreError.schemaMissing(schema: schema)) {
      try JobStore.open(address, schema: schema)
    }
    #expect(try migrator.migrate(address) == migrator.migrations.map(\.version))
    #expect(try migrator.migrate(address) == [])
    #expect(try migrator.status(address).map(\.isApplied) == migrator.migrations.map { _ in true })
    #expect(migrator.migrations.count == Migrator.programVersion)
  }

  @Test
  func migratorsThatStartAtOnceWait() async throws {
    let migrations = try Migration.load(from: real)
    let address = try TestCluster.address()
    let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          try Migrator(migrations: migrations, schema: "migrate_race").migrate(address)
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(applied == migrations.map(\.version))
  }

  @Test
  func aChangedOrUnknownMigrationIsRefused() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("CREATE TABLE a ()".utf8), to: "0001_queue.up.sql")
    try folder.write(
      Array("CREATE FUNCTION ensure_partitions(int) RETURNS void LANGUAGE sql AS ''".utf8),
      to: "0002_more.up.sql"
    )
    let address = try TestCluster.address()
    let schema = "migrate_changed"
    let both = try Migration.load(from: folder.root)
    #expect(try Migrator(migrations: both, schema: schema).migrate(address) == [1, 2])
    #expect(throws: JobStoreError.migrationUnknown(version: 2, name: "more")) {
      try Migrator(migrations: [both[0]], schema: schema).migrate(address)
    }
    try folder.write(Array("CREATE TABLE b ()".utf8), to: "0001_queue.up.sql")
    let changed = Migrator(migrations: try Migration.load(from: folder.root), schema: schema)
    #expect(throws: JobStoreError.migrationChanged(version: 1, name: "queue")) {
      try changed.migrate(address)
    }
    try connection(schema).execute(
      "UPDATE migration SET version = 99 WHERE version = 2",
      named: "t"
    )
    #expect(throws: JobStoreError.schemaVersion(found: 99, expected: Migrator.programVersion)) {
      try JobStore.open(address, schema: schema)
    }
  }

  /// A migration that fails leaves nothing of itself, and those before it.
  @Test
  func aFailedMigrationIsRolledBack() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("CREATE TABLE a ()".utf8), to: "0001_queue.up.sql")
    try folder.write(Array("CREATE TABLE b (); SELECT 1/0".utf8), to: "0002_bad.up.sql")
    let address = try TestCluster.address()
    let migrator = Migrator(
      migrations: try Migration.load(from: folder.root),
      schema: "migrate_failed"
    )
    #expect(throws: JobStoreError.self) { try migrator.migrate(address) }
    #expect(try migrator.status(address).map(\.isApplied) == [true, false])
    let row = try connection("migrate_failed").queryOnce(
      "SELECT to_regclass('a') IS NOT NULL, to_regclass('b') IS NULL",
      named: "test"
    )[0]
    #expect(try row.bool(0))
    #expect(try row.bool(1))
  }

  @Test(arguments: ["0002_gap.up.sql", "1_short.up.sql", "0001.up.sql", "000a_x.up.sql"])
  func badNumberingIsRefused(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write([], to: name)
    #expect(throws: JobStoreError.migrationNumbering(file: file.displayText)) {
      try Migration.load(from: folder.root)
    }
  }

  @Test
  func theFolderIsFoundFromCheckoutAndPrefix() throws {
    let folder = try TemporaryDirectory()
    try folder.write([], to: "checkout/Package.swift")
    try folder.write([], to: "checkout/migrations/0001_queue.up.sql")
    try folder.write([], to: "prefix/share/rawmill/migrations/0001_queue.up.sql")
    let checkout = folder.path("checkout/migrations")
    let installed = folder.path("prefix/share/rawmill/migrations")
    let builtProgram = folder.path("checkout/.build/release/rawmill")
    let installedProgram = folder.path("prefix/bin/rawmill")
    #expect(
      try MigrationFolder.find(override: nil, program: builtProgram, workingDirectory: nil)
        == checkout
    )
    #expect(
      try MigrationFolder.find(
        override: nil,
        program: installedProgram,
        workingDirectory: folder.path("checkout")
      )
        == installed
    )
    #expect(
      try MigrationFolder.find(
        override: nil,
        program: "/usr/bin/x",
        workingDirectory: folder.path("checkout/Sources")
      )
        == checkout
    )
    #expect(
      try MigrationFolder.find(
        override: installed,
        program: builtProgram,
        workingDirectory: nil
      ) == installed
    )
    let error = #expect(throws: JobStoreError.self) {
      try MigrationFolder.find(override: "/nowhere", program: nil, workingDirectory: nil)
    }
    #expect(error == .migrationsMissing(searched: ["/nowhere"]))
  }

  /// A long transaction keeps a migration waiting, and nobody else.
  @Test
  func aMigrationThatWaitsLetsOthersPass() throws {
    let database = try TestDatabase()
    let folder = try TemporaryDirectory()
    for name in try real.directoryEntries().map(\.name) where name.displayText.hasSuffix(".up.sql")
    {
      try folder.write(try real.appending(name).readAll(), to: name.displayText)
    }
    let next = Migrator.programVersion + 1
    try folder.write(
      Array("ALTER TABLE job ADD COLUMN later integer".utf8),
      to: String(repeating: "0", count: 4 - "\(next)".count) + "\(next)_later.up.sql"
    )
    let reader = try database.connection()
    try reader.execute("BEGIN; SELECT FROM job", named: "test")
    let waits = Mutex(0)
    var waiting = Migrator(
      migrations: try Migration.load(from: folder.root),
      schema: database.schema
    )
    waiting.lockTimeoutMilliseconds = 20
    waiting.lockAttempts = 10_000
    waiting.onWait = { version in
      #expect(version == next)
      waits.withLock { $0 += 1 }
    }
    let migrator = waiting
    let migration = BackgroundWork { Result { try migrator.migrate(database.address) } }
    #expect(Polling.wait(upTo: .seconds(30)) { waits.withLock { $0 } >= 3 })
    // It waits still, and a claim does not.
    let store = try database.store()
    let worker = try store.register(Fixture.workerSpecification)
    #expect(try store.claim(worker, count: 1) == [])
    #expect(try store.schemaVersion() == Migrator.programVersion)
    try reader.execute("COMMIT", named: "test")
    #expect(try migration.value()?.get() == [next])
    // The session that was open goes on; a new one must be of the new version, or only finish.
    #expect(try store.schemaVersion() == next)
    #expect(try store.claim(worker, count: 1) == [])
    #expect(throws: JobStoreError.schemaVersion(found: next, expected: Migrator.programVersion)) {
      try database.store()
    }
    _ = try JobStore.open(database.address, schema: database.schema, accepting: .currentOrNewer)
  }

  @Test
  func aMigrationGivesUpInTheEnd() throws {
    let database = try TestDatabase()
    let folder = try TemporaryDirectory()
    try folder.write(Array("CREATE TABLE a ()".utf8), to: "0001_queue.up.sql")
    try folder.write(
      Array("CREATE FUNCTION ensure_partitions(int) RETURNS void LANGUAGE sql AS ''".utf8),
      to: "0002_more.up.sql"
    )
    let schema = "migrate_gives_up"
    let first = try Migration.load(from: folder.root)
    try Migrator(migrations: first, schema: schema).migrate(database.address)
    try folder.write(Array("DROP TABLE a".utf8), to: "0003_drop.up.sql")
    let reader = try connection(schema)
    try reader.execute("BEGIN; SELECT FROM a", named: "test")
    var migrator = Migrator(migrations: try Migration.load(from: folder.root), schema: schema)
    migrator.lockTimeoutMilliseconds = 10
    migrator.lockAttempts = 3
    let error = #expect(throws: JobStoreError.self) { try migrator.migrate(database.address) }
    guard case .postgres(let cause) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(cause.state == .lockNotAvailable)
  }

  /// Down and up again gives a schema that works, and no partition is a DEFAULT one.
  @Test
  func downRemovesWhatUpMade() throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    let downs = try real.directoryEntries().map(\.name)
      .filter { $0.displayText.hasSuffix(".down.sql") }.sorted().reversed()
    let objects = """
      SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = current_schema::regnamespace
        AND relkind IN ('r', 'p', 'S')) + (SELECT count(*) FROM pg_proc
        WHERE pronamespace = current_schema::regnamespace)
      """
    let defaults = """
      SELECT count(*) FROM pg_partitioned_table WHERE partdefid <> 0
      """
    #expect(try connection.queryOnce(defaults, named: "t")[0].int(0) == 0)
    #expect(try connection.queryOnce(objects, named: "t")[0].int(0) > 10)
    for name in downs {
      let down = try real.appending(name).readAll()
      try connection.execute(String(decoding: down, as: UTF8.self), named: "down")
    }
    // The migrator's own table is what is left.
    #expect(try connection.queryOnce(objects, named: "t")[0].int(0) == 1)
  }

  /// Each migration of the last ones can be taken back and applied again by itself.
  @Test
  func theGroupOfNotifiersCanBeTakenBackAndMadeAgain() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    func run(_ name: String) throws {
      let sql = String(decoding: try real.appending(FilePath(name)).readAll(), as: UTF8.self)
      try admin.execute(sql, named: "test")
    }
    let rows = "SELECT count(*) FROM function_right WHERE role_name = 'rawmill_notifier'"
    try run("0012_notifier.down.sql")
    #expect(try fixture.number(rows) == 0)
    try admin.execute("SELECT grant_rights()", named: "test")
    try run("0012_notifier.up.sql")
    #expect(try fixture.number(rows) == 3)
    try admin.execute("SELECT grant_rights()", named: "test")
  }

  @Test
  func partitionsAreMadeAhead() throws {
    let database = try TestDatabase()
    let connection = try database.connection()
    let count = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'attempt'::regclass"
    #expect(try connection.queryOnce(count, named: "t")[0].int(0) == 4)
    // A worker that finds none makes them, and loses nothing.
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    try fixture.submit([1])
    let job = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    let names = try admin.queryOnce(
      "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'attempt'::regclass",
      named: "t"
    )
    for row in 0..<names.rowCount {
      try admin.execute("DROP TABLE \(try names[row].text(0))", named: "drop")
    }
    #expect(try fixture.store.release([job.lease]) == [job.id])
    #expect(try admin.queryOnce(count, named: "t")[0].int(0) == 4)
  }
}
