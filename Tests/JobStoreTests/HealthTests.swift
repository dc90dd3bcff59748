import DatabaseTestSupport
import Dispatch
import EmbeddedPostgres
import FileSystem
import JobModel
import JobStore
import PostgresClient
import TestSupport
import Testing

/// Each finding of the doctor: the situation is made, and found.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct HealthTests {
  private let fixture: Fixture
  private var store: JobStore { fixture.store }

  init() throws {
    fixture = try Fixture()
  }

  private func execute(_ sql: String) throws {
    try fixture.database.connection().execute(sql, named: "test")
  }

  private func queue(
    _ limits: HealthLimits = HealthLimits(),
    version: String = "test",
    pause: () throws -> Void = {}
  ) throws -> [HealthFinding] {
    var failure: (any Error)?
    let findings = try store.queueHealth(limits, programVersion: version) {
      do { try pause() } catch { failure = error }
    }
    if let failure { throw failure }
    return findings
  }

  private func limits(_ change: (inout HealthLimits) -> Void) -> HealthLimits {
    var limits = HealthLimits()
    change(&limits)
    return limits
  }

  @Test func aHealthyFarmGivesNone() throws {
    let worker = try fixture.worker()
    try fixture.submit(0..<5)
    while let job = try store.claim(worker, count: 1).first {
      _ = try store.recordIntent(job.lease, outputs: [Fixture.output(job)])
      _ = try store.complete([Fixture.report(job)])
    }
    try store.maintain()
    #expect(try queue() == [])
    #expect(try store.tableHealth(HealthLimits()) == [])
    #expect(try store.settingHealth(isOwnServer: true) == [])
    let (skew, error) = try store.clockSkew()
    // The same host: one clock.
    #expect(skew.magnitude <= error + 0.05)
  }

  // MARK: Sessions

  private func sessions(_ limits: HealthLimits, of other: PostgresConnection) throws -> [String] {
    try store.sessionHealth(limits)
      .filter { $0.message.hasPrefix("session \(other.backendProcessID) ") }.map(\.code)
  }

  @Test func heldSnapshotsAndIdleTransactions() throws {
    let other = try fixture.database.connection()
    let strict = limits {
      $0.transactionSeconds = 0
      $0.idleSeconds = 0
    }
    #expect(try sessions(strict, of: other) == [])
    try other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1", named: "test")
    #expect(try sessions(strict, of: other) == ["idleInTransaction", "snapshotHeld"])
    #expect(try sessions(HealthLimits(), of: other) == [])
    let finding = try #require(
      try store.sessionHealth(strict).first { $0.message.contains("\(other.backendProcessID)") }
    )
    #expect(finding.advice.contains("pg_terminate_backend(\(other.backendProcessID))"))
    try other.execute("ROLLBACK", named: "test")
    #expect(try sessions(strict, of: other) == [])
  }

  @Test func whoWaitsForALock() throws {
    let holder = try fixture.database.connection()
    try holder.execute("BEGIN; LOCK TABLE recipe", named: "test")
    let database = fixture.database
    let waiter = BackgroundWork {
      Result { try database.connection().execute("SELECT FROM recipe", named: "wait") }
    }
    let strict = limits { $0.idleSeconds = 0 }
    let isFound = try Polling.wait(upTo: .seconds(20)) {
      try store.sessionHealth(strict).contains {
        $0.code == "lockAwaited" && $0.message.hasSuffix("session \(holder.backendProcessID)")
      }
    }
    try holder.execute("ROLLBACK", named: "test")
    try waiter.value()?.get()
    #expect(isFound)
  }

  @Test func scarceConnectionsAndHiddenSessions() throws {
    let none = limits { $0.connectionShare = 0 }
    #expect(try store.sessionHealth(none).contains { $0.code == "connectionsScarce" })
    #expect(try !store.sessionHealth(HealthLimits()).contains { $0.code == "sessionsHidden" })
    let role = try LoginRole(fixture.database, name: "reader", group: "rawmill_reader")
    let hidden = try role.store().sessionHealth(HealthLimits()).filter {
      $0.code == "sessionsHidden"
    }
    #expect(hidden.map(\.severity) == [.note])
  }

  // MARK: Tables

  @Test func deadRowsUntendedTablesAndSwitchedOffVacuum() throws {
    let connection = try fixture.database.connection()
    try connection.execute("ALTER TABLE job SET (autovacuum_enabled = false)", named: "test")
    try fixture.submit(0..<200)
    for _ in 0..<2 { try connection.execute("UPDATE job SET host_faults = 1", named: "test") }
    let strict = limits {
      $0.deadRows = 100
      $0.untendedRows = 100
    }
    let schema = fixture.database.schema
    let isFound = try Polling.wait(upTo: .seconds(20)) {
      // Statistics are written when a session is idle for a while.
      try connection.execute("SELECT pg_stat_force_next_flush()", named: "test")
      let found = try store.tableHealth(strict).filter { $0.message.contains("\(schema).job") }
      return Set(found.map(\.code)) == ["deadRows", "tableUntended", "autovacuumOff"]
    }
    #expect(isFound)
    #expect(try store.tableHealth(HealthLimits()).map(\.code) == ["autovacuumOff"])
    try connection.execute("ALTER TABLE job RESET (autovacuum_enabled)", named: "test")
    try connection.execute("VACUUM (ANALYZE) job", named: "test")
    let isTended = try Polling.wait(upTo: .seconds(20)) {
      try !store.tableHealth(strict).contains { $0.code == "tableUntended" }
    }
    #expect(isTended)
  }

  @Test func bloatedIndexes() throws {
    try fixture.submit(0..<50)
    try execute("ANALYZE job")
    let strict = limits {
      $0.indexBytes = 1
      $0.indexBytesPerRow = 1
    }
    let found = try store.tableHealth(strict).filter { $0.code == "indexBloated" }
    #expect(found.contains { $0.advice.hasSuffix(".job_pkey") })
    #expect(found.allSatisfy { $0.severity == .note })
  }

  @Test func partitionsThatEndSoonOrAreMissing() throws {
    let connection = try fixture.database.connection()
    let names = try connection.queryOnce(
      "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'attempt'::regclass "
        + "ORDER BY 1",
      named: "test"
    )
    for row in 1..<names.rowCount {
      try connection.execute("DROP TABLE \(try names[row].text(0))", named: "test")
    }
    #expect(try store.tableHealth(HealthLimits()).map(\.code) == ["partitionsMissing"])
    try connection.execute("DROP TABLE \(try names[0].text(0))", named: "test")
    let finding = try #require(try store.tableHealth(HealthLimits()).first)
    #expect(finding.severity == .critical)
    #expect(finding.message.hasSuffix("attempt has no partition for today"))
    try store.preparePartitions()
    #expect(try store.tableHealth(HealthLimits()) == [])
  }

  // MARK: Settings

  @Test(
    arguments: [
      ("fsync", "off", "settingUnsafe", .critical),
      ("full_page_writes", "off", "settingUnsafe", .critical),
      ("synchronous_commit", "off", "settingUnsafe", .critical),
      ("zero_damaged_pages", "on", "settingUnsafe", .critical),
      ("ignore_checksum_failure", "on", "settingUnsafe", .critical),
      ("autovacuum", "off", "autovacuumOff", .critical),
      ("track_counts", "off", "autovacuumOff", .critical),
      ("data_checksums", "off", "checksumsOff", .note),
    ] as [(String, String, String, HealthFinding.Severity)]
  )
  func settingsByName(
    _ name: String,
    _ value: String,
    _ code: String,
    _ severity: HealthFinding.Severity
  ) {
    let found = JobStore.settingFindings([name: value])
    #expect(found.map(\.code) == [code])
    #expect(found.map(\.severity) == [severity])
    #expect(JobStore.settingFindings([name: value == "on" ? "off" : "on"]) == [])
  }

  /// On a server of the test's own: these are for the whole server.
  @Test func settingsSlotsAndPreparedTransactionsOfAServer() throws {
    let folder = FilePath("/tmp/rawmill-test-doctor-\(SystemInformation.processID)")
    let cluster = EmbeddedPostgres(ClusterFolder(root: folder))
    defer {
      _ = try? cluster.stop()
      try? folder.removeTree()
    }
    var address = try cluster.start()
    let settings = SessionSettings(applicationName: "test")
    var connection = try PostgresConnection.open(address, settings)
    for setting in [
      "wal_level = replica", "max_prepared_transactions = 2", "fsync = off",
      "full_page_writes = off",
      "synchronous_commit = off", "autovacuum = off",
    ] {
      try connection.execute("ALTER SYSTEM SET \(setting)", named: "test")
    }
    _ = try cluster.stop()
    address = try cluster.start()
    try Migrator(migrations: try Migration.load(from: PackageFolder.path("migrations")))
      .migrate(address)
    connection = try PostgresConnection.open(address, settings)
    try connection.execute("SELECT pg_create_physical_replication_slot('left')", named: "test")
    try connection.execute("BEGIN", named: "test")
    try connection.execute("CREATE TABLE t (); PREPARE TRANSACTION 'forgotten'", named: "test")
    let store = try JobStore.open(address)
    let found = try store.settingHealth(isOwnServer: true)
    #expect(found.filter { $0.code == "settingUnsafe" }.count == 3)
    #expect(found.contains { $0.code == "autovacuumOff" })
    let strict = limits { $0.transactionSeconds = 0 }
    let sessions = try store.sessionHealth(strict).map(\.code)
    #expect(sessions.contains("slotInactive"))
    #expect(sessions.contains("transactionPrepared"))
    #expect(try !store.sessionHealth(HealthLimits()).map(\.code).contains("transactionPrepared"))
  }

  @Test func superusersOfAServerOfOnesOwn() throws {
    #expect(try store.settingHealth(isOwnServer: false).map(\.code) == ["superuser"])
    let role = try LoginRole(fixture.database, name: "doctor", group: "rawmill_reader")
    #expect(try role.store().settingHealth(isOwnServer: false) == [])
  }

  // MARK: This host

  @Test(
    arguments: [
      (1.9, 0, nil), (-61, 60, nil), (2.5, 0.1, .note), (-3_600, 0.1, .warning),
    ] as [(Double, Double, HealthFinding.Severity?)]
  )
  func clocks(_ seconds: Double, _ error: Double, _ severity: HealthFinding.Severity?) {
    let found = JobStore.clockFindings(seconds: seconds, error: error)
    #expect(found.map(\.severity) == (severity.map { [$0] } ?? []))
    #expect(found.allSatisfy { $0.code == "clockSkew" })
  }

  @Test(
    arguments: [
      (20e9, 100e9, nil, []), (20e9, 100e9, 1e6, []), (9e9, 100e9, nil, [.warning]),
      (11e9, 1e12, nil, [.warning]), (0.5e9, 8e9, nil, [.critical]),
      (20e9, 100e9, 50, [.critical]), (20e9, 100e9, 5_000, [.warning]),
    ] as [(Double, Double, Double?, [HealthFinding.Severity])]
  )
  func disks(
    _ free: Double,
    _ total: Double,
    _ files: Double?,
    _ severities: [HealthFinding.Severity]
  ) {
    let found = JobStore.diskFindings(
      of: "d",
      freeBytes: free,
      totalBytes: total,
      freeFiles: files
    )
    #expect(found.map(\.severity) == severities)
  }

  @Test func whereFilesGo() throws {
    try fixture.submit(0..<2)
    let places = try store.outputPlaces()
    #expect(places == [1, 0].map { FileLocation(root: "out", path: FilePath("\($0).heic")) })
    // The test server listens on a socket of this host and its user may know everything.
    #expect(try store.dataFolder()?.statusIfExists() != nil)
  }

  // MARK: The queue

  @Test func workWithoutAWorkerOrItsRoots() throws {
    try fixture.submit(0..<2)
    #expect(try queue().map(\.code) == ["noWorker"])
    var other = Fixture.workerSpecification
    other.roots = ["/", "shoot"]
    _ = try store.register(other)
    let finding = try #require(try queue().first)
    #expect(finding.code == "rootsUnreachable")
    #expect(finding.message.contains("needs the roots out,"))
    other.roots = ["/", "out"]
    _ = try store.register(other)
    #expect(try queue().map(\.message).allSatisfy { $0.hasSuffix("no one worker has all") })
  }

  @Test func batchesThatDoNotGoOn() throws {
    let worker = try fixture.worker()
    let batch = try fixture.submit(0..<5)
    #expect(try queue().map(\.code) == ["batchStuck"])
    // A claim between the looks is life.
    #expect(try queue(pause: { _ = try store.claim(worker, count: 1) }) == [])
    // Both slots taken: the rest waits for good reason.
    _ = try store.claim(worker, count: 1)
    #expect(try queue() == [])
    try execute("UPDATE batch SET has_ready = false WHERE id = \(batch)")
    #expect(try queue().map(\.code) == ["batchStranded"])
    try execute("SELECT pause_batch(\(batch), 'rawmill', 'twenty of a kind')")
    let finding = try #require(try queue().first)
    #expect(finding.code == "batchPaused")
    #expect(finding.message.hasSuffix("paused itself: twenty of a kind"))
  }

  @Test func aBatchThatWaitsForACancelledOne() throws {
    _ = try fixture.worker()
    let first = try fixture.submit(0..<1)
    var specification = Fixture.batch()
    specification.after = first
    let second = try store.createBatch(specification)
    _ = try store.enqueue([Fixture.job(1)], into: second)
    try store.seal(second)
    #expect(try !queue().contains { $0.code == "predecessorCancelled" })
    try store.cancel(first)
    try store.maintain()
    let finding = try #require(try queue().first)
    #expect(finding.code == "predecessorCancelled")
    #expect(finding.message.contains("batch \(second) (test) waits for batch \(first)"))
    #expect(finding.advice.hasPrefix("rawmill cancel \(second),"))
    // What is advised helps.
    try store.cancel(second)
    #expect(try queue() == [])
  }

  /// Nothing is stuck where every host that could work is set aside: that is the reason, and it is named.
  @Test func hostsThatAreSetAside() throws {
    let worker = try fixture.worker()
    let batch = try fixture.submit(0..<5)
    #expect(try queue().map(\.code) == ["batchStuck"])
    try store.setAside(host: "host", reason: "its fan", seconds: 900)
    #expect(try store.claim(worker, count: 1) == [])
    let found = try queue()
    #expect(found.map(\.code) == ["hostsSetAside", "hostSetAside"])
    #expect(found.map(\.severity) == [.critical, .warning])
    #expect(found[0].message.hasPrefix("batch \(batch) (test) has jobs that wait, and every host"))
    for finding in found {
      #expect(finding.message.contains("host host is set aside for"), "\(finding.message)")
      #expect(finding.message.contains(" more: its fan"), "\(finding.message)")
      #expect(finding.advice.contains("rawmill host allow HOST"))
    }
    // Another host works: this one is worth a word, and the batch goes on or is stuck as ever.
    var specification = Fixture.workerSpecification
    specification.host = "other"
    let other = try store.register(specification)
    #expect(try queue().map(\.code) == ["batchStuck", "hostSetAside"])
    #expect(
      try queue(pause: { _ = try store.claim(other, count: 1) }).map(\.code) == ["hostSetAside"]
    )
    // No free slot but those of the host that is set aside.
    _ = try store.claim(other, count: 1)
    #expect(try queue().map(\.code) == ["hostSetAside"])
    // A root that the batch does not need is in nobody's way.
    try store.allow(host: "host")
    try store.setAside(host: "host", root: "else", reason: "not mounted", by: "ann", seconds: 900)
    let root = try queue()
    #expect(root.map(\.code) == ["batchStuck", "hostSetAside"])
    #expect(root[1].severity == .note)
    #expect(root[1].message.hasPrefix("root else of host host is set aside for "))
    #expect(root[1].message.hasSuffix(" more: not mounted, by ann"))
    #expect(root[1].advice.contains("rawmill host allow HOST --root NAME"))
    try store.setAside(host: "host", root: "out", reason: "full", seconds: 900)
    try store.drainWorker(other)
    #expect(try queue().map(\.code) == ["hostsSetAside", "hostSetAside", "hostSetAside"])
    #expect(try queue()[0].message.contains("root out of host host"))
    #expect(try !queue()[0].message.contains("root else"))
    // One that has ended is in nobody's way either.
    try execute("UPDATE set_aside SET until = clock_timestamp()")
    #expect(try queue().map(\.code) == ["batchStuck"])
  }

  @Test func oldAndOrphanedLeases() throws {
    let worker = try fixture.worker()
    try fixture.submit(0..<2)
    let job = try #require(try store.claim(worker, count: 2).first)
    let strict = limits {
      $0.leaseSeconds = 0
      $0.orphanSeconds = 0
    }
    let old = try queue(strict)
    #expect(old.map(\.code) == ["leaseOld"])
    #expect(old[0].message.hasPrefix("job \(job.id) "))
    try store.retire(worker)
    let orphaned = try queue(strict)
    #expect(orphaned.map(\.code) == ["leasesOrphaned"])
    #expect(orphaned[0].message.hasPrefix("2 jobs, "))
    #expect(try queue() == [])
  }

  @Test func silentWorkersAndOtherVersions() throws {
    _ = try fixture.worker()
    #expect(try queue(limits { $0.silentSeconds = 0 }).map(\.code) == ["workerSilent"])
    let finding = try #require(try queue(version: "9.9").first)
    #expect(finding.code == "versionsDiffer")
    #expect(finding.message.hasSuffix("test (1 worker)"))
    try execute("INSERT INTO migration (version, name, checksum) VALUES (99, 'later', '')")
    #expect(try queue().map(\.code) == ["schemaDiffers"])
  }

  @Test func whatNobodyTendsTo() throws {
    let batch = try fixture.submit(0..<1)
    try execute("UPDATE job SET ready = false, run_at = now() - interval '1 hour'")
    try execute("INSERT INTO tally (batch_id, done) VALUES (\(batch), 0)")
    let found = try queue(limits { $0.tallyRows = 1 })
    #expect(found.map(\.code) == ["jobsOverdue", "progressBehind"])
    try store.maintain()
    #expect(try !queue().map(\.code).contains("jobsOverdue"))
  }

  @Test func deliveriesThatFail() throws {
    let batch = try fixture.submit(0..<1)
    #expect(try store.takeDeliveries(to: "hook") == [])
    try execute("SELECT record_event('batchFinished', \(batch), NULL, NULL, 'x', '', '{}', true)")
    let delivery = try #require(try store.takeDeliveries(to: "hook").first)
    try store.settle(
      delivery.event.id,
      to: "hook",
      error: "it answered 500",
      retryAfterSeconds: nil
    )
    let finding = try #require(try queue().first { $0.code == "deliveriesFail" })
    #expect(finding.message == "hook was not told of 1 events, 1 of them given up: it answered 500")
  }

  @Test func theFarmInFigures() throws {
    let worker = try fixture.worker()
    let batch = try fixture.submit(0..<5)
    _ = try store.claim(worker, count: 2)
    let figures = try store.figures()
    #expect(figures.openBatches == 1)
    #expect(figures.batches.map(\.id) == [batch.rawValue])
    #expect(figures.batches.map(\.running) == [2])
    #expect(figures.batches.map(\.total) == [5])
    #expect(figures.workers.map(\.running) == [2])
    #expect(figures.schemaVersion == Int64(Migrator.programVersion))
    #expect(figures.tables.contains { $0.name == "job" && $0.bytes > 0 })
  }
}
