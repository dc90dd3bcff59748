import DatabaseTestSupport
import JSON
import JobModel
import JobStore
import PostgresClient
import Testing

/// What real login roles of each group may and may not do.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct RightsTests {
  /// A login role of a group, made for this test alone.
  private func login(_ fixture: Fixture, _ name: String, _ group: String) throws -> LoginRole {
    try LoginRole(fixture.database, name: name, group: group)
  }

  @Test
  func onlyWhoeverSubmittedABatchMaySteerIt() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<1)
    let alice = try login(fixture, "alice", "rawmill_submitter")
    let admin = try login(fixture, "admin", "rawmill_admin")
    let reader = try login(fixture, "reader", "rawmill_reader")
    // The test's superuser submitted the first batch.
    #expect(try alice.refused("SELECT require_steering(\(batch))"))
    #expect(try reader.refused("SELECT require_steering(\(batch))"))
    #expect(try !admin.refused("SELECT require_steering(\(batch))"))
    let own = try fixture.submit(1..<2)
    try fixture.database.connection().execute(
      "UPDATE batch SET submitted_by = '\(alice.name)' WHERE id = \(own)",
      named: "own"
    )
    #expect(try !alice.refused("SELECT require_steering(\(own))"))
    try fixture.store.connection.execute("SELECT require_steering(\(own))", named: "superuser")
  }

  @Test
  func submittersReadWhatTheySubmittedAndReadersReadAll() throws {
    let fixture = try Fixture()
    try fixture.submit(0..<3)
    let own = try fixture.submit(3..<5)
    let alice = try login(fixture, "alice", "rawmill_submitter")
    let reader = try login(fixture, "reader", "rawmill_reader")
    try fixture.database.connection().execute(
      "UPDATE batch SET submitted_by = '\(alice.name)' WHERE id = \(own)",
      named: "own"
    )
    for (role, batches, jobs) in [(alice, 1, 2), (reader, 2, 5)] {
      #expect(try role.number("SELECT count(*) FROM batch") == batches)
      #expect(try role.number("SELECT count(*) FROM job") == jobs)
      #expect(try role.number("SELECT count(*) FROM output") == 0)
      #expect(try role.refused("UPDATE batch SET priority = 9"))
      #expect(try role.refused("DELETE FROM job"))
      #expect(try role.refused("SELECT grant_rights()"))
    }
    #expect(try alice.store().batches().map(\.id) == [own])
    #expect(try reader.number("SELECT count(*) FROM exported_statistics") == 0)
  }

  @Test
  func aWorkerHasNoRightsOnTables() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<1)
    let worker = try login(fixture, "worker", "rawmill_worker")
    let names = try fixture.store.connection.queryOnce(
      """
      SELECT relname::text, relkind = 'v' FROM pg_class
      WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p', 'v') ORDER BY 1
      """,
      named: "tables"
    ).map { (row) throws(PostgresError) in (name: try row.text(0), isView: try row.bool(1)) }
    #expect(names.count > 20)
    for (name, isView) in names {
      #expect(try worker.refused("SELECT count(*) FROM \(name)"), "\(name)")
      if !isView { #expect(try worker.refused("DELETE FROM \(name)"), "\(name)") }
    }
    #expect(try worker.refused("UPDATE job SET outcome = 1, finished_at = now()"))
    #expect(try worker.refused("SELECT require_steering(\(batch))"))
  }

  /// Who tells of events takes them and says how it went, and may do nothing else.
  @Test
  func aNotifierHasItsDeliveriesAndNothingElse() throws {
    let fixture = try Fixture()
    let role = try login(fixture, "notifier", "rawmill_notifier")
    let store = try JobStore.open(
      role.address,
      applicationName: "test",
      schema: fixture.database.schema,
      accepting: .currentOrNewer
    )
    #expect(try store.takeDeliveries(to: "hook") == [])
    let batch = try fixture.submit(0..<1)
    let worker = try fixture.worker()
    _ = try fixture.store.complete(
      fixture.store.claim(worker, count: 1).map { Fixture.report($0) }
    )
    try fixture.store.maintain()
    let event = try #require(try store.takeDeliveries(to: "hook").first).event
    #expect(event.kind == .batchFinished)
    #expect(event.batch == batch)
    try store.settle(event.id, to: "hook", error: "it answered 500", retryAfterSeconds: 0)
    #expect(try store.takeDeliveries(to: "hook").map(\.attempt) == [2])
    try store.settle(event.id, to: "hook")
    #expect(try fixture.number("SELECT count(*) FROM delivery WHERE delivered_at IS NOT NULL") == 1)
    let tables = try fixture.store.connection.queryOnce(
      "SELECT relname::text FROM pg_class "
        + "WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p', 'v')",
      named: "tables"
    ).map { (row) throws(PostgresError) in try row.text(0) }
    #expect(tables.count > 20)
    for name in tables { #expect(try role.refused("SELECT FROM \(name)"), "\(name)") }
    #expect(throws: JobStoreError.self) { try store.claim(worker, count: 1) }
    #expect(throws: JobStoreError.self) { try store.createBatch(Fixture.batch()) }
    #expect(throws: JobStoreError.self) { try store.cancel(batch) }
    // Nor has anybody else but an admin the right to be told in its stead.
    for group in ["submitter", "worker", "reader"] {
      let other = try login(fixture, "other_\(group)", "rawmill_\(group)")
      #expect(try other.refused("SELECT take_deliveries('hook', 1, 1)"), "\(group)")
      #expect(try other.refused("SELECT settle_delivery('hook', 1, NULL, NULL)"), "\(group)")
    }
  }

  /// What made an output is for those who submitted its batch and for readers.
  @Test
  func provenanceIsForSubmittersAndReaders() throws {
    let fixture = try Fixture()
    let own = try fixture.submit(0..<1)
    try fixture.submit(1..<2)
    let jobs = try fixture.store.claim(fixture.worker(), count: 2)
    for job in jobs {
      _ = try fixture.store.recordIntent(job.lease, outputs: [Fixture.output(job)])
      _ = try fixture.store.complete([Fixture.report(job)])
    }
    let alice = try login(fixture, "alice", "rawmill_submitter")
    let reader = try login(fixture, "reader", "rawmill_reader")
    try fixture.database.connection().execute(
      "UPDATE batch SET submitted_by = '\(alice.name)' WHERE id = \(own)",
      named: "own"
    )
    let digest = Fixture.output(jobs[0]).sha256
    for (role, count) in [(alice, 1), (reader, 2)] {
      let store = try role.store()
      #expect(try store.provenance(of: digest).count == count)
      let places = jobs.map { $0.outputs[0].location }
      let found = try store.provenance(at: places)
      #expect(found.count == count)
      #expect(found.last?["input"]?["path"] == "day1/0.dng")
      #expect(found.last?["attempt"]?["batchName"] == "test")
      #expect(found.last?["settings"]?["exposure"] == .number(0.5))
    }
    #expect(try fixture.store.provenance(at: []) == [])
  }

  /// A submitter learns why nobody works on its batch.
  @Test
  func submittersSeeWhichHostsAreSetAside() throws {
    let fixture = try Fixture()
    let alice = try login(fixture, "alice", "rawmill_submitter")
    try fixture.store.setAside(host: "host", reason: "its fan", seconds: 60)
    #expect(try alice.store().setAside().map(\.reason) == ["its fan"])
    #expect(try alice.refused("SELECT allow_host('host', '', 'alice')"))
  }

  /// A submitter submits and a worker works to the end, each with its own rights alone.
  @Test
  func submittersAndWorkersDoTheirWorkThroughFunctions() throws {
    let fixture = try Fixture()
    let alice = try login(fixture, "alice", "rawmill_submitter").store()
    let batch = try alice.createBatch(Fixture.batch())
    #expect(try alice.enqueue((0..<8).map { Fixture.job($0) }, into: batch).inserted == 8)
    try alice.beatSubmission(batch)
    try alice.seal(batch)
    #expect(try alice.known([Fixture.job(3).key])[Fixture.job(3).key]?.state == .ready)
    let role = try login(fixture, "worker", "rawmill_worker")
    let store = try role.store()
    let worker = try fixture.worker(store)
    let jobs = try store.claim(worker, count: 6)
    #expect(jobs.count == 6)
    #expect(try store.beat(worker, holding: jobs.map(\.lease)).state == .active)
    #expect(try store.recordIntent(jobs[0].lease, outputs: [Fixture.output(jobs[0])]) == [])
    #expect(try store.holding(jobs[0].lease) { true })
    #expect(try store.complete([Fixture.report(jobs[0])]) == [jobs[0].id])
    #expect(try store.fail(jobs[1], Fixture.failure(.permanent)) == .fail)
    #expect(try store.release([jobs[2].lease]) == [jobs[2].id])
    #expect(try store.stop([jobs[3].lease]) == [jobs[3].id])
    #expect(try store.releaseForgotten(worker, holding: [jobs[5].lease]) == [jobs[4].id])
    #expect(try store.missingRoots(worker) == [])
    try store.preparePartitions()
    try store.maintain()
    #expect(try store.beats().map(\.worker) == [worker])
    #expect(try store.workers(onHost: "host").map(\.id) == [worker])
    try store.drain(worker)
    try store.retire(worker)
    #expect(try store.rescue() == [jobs[5].id])
    #expect(try store.abandoned(among: [jobs[5].id]) == [])
    #expect(try store.replacement(of: jobs[0].id) == nil)
    #expect(try alice.batch(batch).progress.done == 1)
    // Neither has the other's functions.
    #expect(throws: JobStoreError.self) { try store.createBatch(Fixture.batch()) }
    #expect(throws: JobStoreError.self) { try alice.claim(worker, count: 1) }
    // Another submitter's batch is closed to it.
    let other = try fixture.submit([100])
    #expect(throws: JobStoreError.self) { try alice.enqueue([Fixture.job(101)], into: other) }
    #expect(throws: JobStoreError.self) { try alice.seal(other) }
  }

  /// A caller's temporary table must not stand for one of the queue's.
  @Test
  func functionsWithTheirOwnersRightsLookIntoTemporaryTablesLast() throws {
    let fixture = try Fixture()
    let names = try fixture.store.connection.queryOnce(
      """
      SELECT proname::text FROM pg_proc
      WHERE pronamespace = current_schema::regnamespace AND prosecdef
        AND NOT coalesce(array_to_string(proconfig, ' ') ~ 'search_path=\\w+, pg_temp', false)
      """,
      named: "functions"
    ).map { (row) throws(PostgresError) in try row.text(0) }
    #expect(names == [])
    #expect(try fixture.number("SELECT count(*) FROM pg_proc WHERE prosecdef") > 5)
  }
}
