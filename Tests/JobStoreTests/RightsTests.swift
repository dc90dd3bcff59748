import DatabaseTestSupport
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
