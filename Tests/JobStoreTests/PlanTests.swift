import DatabaseTestSupport
import JobModel
import JobStore
import PostgresClient
import Testing

/// The claim must read the same few pages however many jobs there are and whatever the statistics say.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct PlanTests {
  /// The plan of a prepared claim in a session of the queue, as text.
  private func plan(_ store: JobStore, worker: WorkerID) throws -> String {
    let connection = store.connection
    try connection.execute(
      "DEALLOCATE ALL; PREPARE claim (bigint, bigint, uuid[], bigint) AS \(claimJobs.text)",
      named: "prepare"
    )
    let result = try connection.queryOnce(
      """
      EXPLAIN (COSTS off) EXECUTE claim (\(worker.rawValue), 10, '{}', 8)
      """,
      named: "explain"
    )
    return try result.map { (row) throws(PostgresError) in try row.text(0) }
      .joined(separator: "\n")
  }

  private func expectIndexPlan(_ plan: String, _ moment: String) {
    #expect(plan.contains("Index Scan using job_ready on job"), "\(moment):\n\(plan)")
    #expect(plan.contains("Index Scan using job_pkey on job"), "\(moment):\n\(plan)")
    for bad in ["Seq Scan on job", "Hash Join", "Merge Join", "Bitmap"] {
      #expect(!plan.contains(bad), "\(moment): \(bad) in\n\(plan)")
    }
  }

  @Test
  func theClaimScansIndexesBeforeAndAfterAnalyze() throws {
    let fixture = try Fixture()
    let worker = try fixture.worker()
    expectIndexPlan(try plan(fixture.database.store(), worker: worker), "empty")
    let batch = try fixture.store.createBatch(Fixture.batch())
    let admin = try fixture.database.connection()
    try admin.execute(
      """
      INSERT INTO job (batch_id, dedupe_key, recipe_digest, input_root, input_path, input_size,
        input_mtime_ns, output_ids, output_roots, output_paths)
      SELECT \(batch), sha256(n::text::bytea), sha256('r'), 'shoot', n::text::bytea, 1, 1, '{}', '{}',
        '{}'
      FROM generate_series(1, 100000) AS n;
      UPDATE batch SET total = 100000, has_ready = true
      """,
      named: "fill"
    )
    expectIndexPlan(try plan(fixture.database.store(), worker: worker), "filled")
    try admin.execute("ANALYZE job; ANALYZE batch; ANALYZE lease", named: "analyze")
    expectIndexPlan(try plan(fixture.database.store(), worker: worker), "analysed")
    // Most are done: the index of the ready ones is what keeps the claim short.
    try admin.execute(
      """
      UPDATE job SET ready = false, outcome = 1, finished_at = now() WHERE id % 1000 <> 0;
      ANALYZE job
      """,
      named: "finish"
    )
    expectIndexPlan(try plan(fixture.database.store(), worker: worker), "done")
  }

  /// Whoever settles jobs looks up their leases one by one: a lease table full of dead rows must not
  /// be scanned.
  @Test
  func settlingLooksUpByIndexOnly() throws {
    let fixture = try Fixture()
    try fixture.submit(0..<100)
    _ = try fixture.store.claim(fixture.worker(), count: 50)
    let types =
      "bigint[], uuid[], bigint[], bigint[], bigint[], bytea[], bytea[], jsonb[], int[], "
      + "text[], text[], text[], jsonb[], jsonb[], bigint[]"
    let values = Array(repeating: "'{}'", count: 15).joined(separator: ", ")
    for statement in [
      (completeJobs, types, values),
      (
        failJobs, "bigint[], uuid[], smallint[], text[], text[], bigint[]",
        "'{}','{}','{}','{}','{}','{}'"
      ),
      (releaseJobs, "bigint[], uuid[]", "'{}', '{}'"),
    ] {
      let connection = try fixture.database.store().connection
      try connection.execute(
        "PREPARE settle (\(statement.1)) AS \(statement.0.text)",
        named: "prepare"
      )
      let lines = try connection.queryOnce(
        "EXPLAIN (COSTS off) EXECUTE settle (\(statement.2))",
        named: "explain"
      ).map { (row) throws(PostgresError) in try row.text(0) }
      let plan = lines.joined(separator: "\n")
      #expect(!plan.contains("Seq Scan"), "\(plan)")
      #expect(plan.contains("Index Scan using lease_pkey on lease"), "\(plan)")
      for (line, next) in zip(lines, lines.dropFirst()) where line.contains("Index Scan using") {
        #expect(next.contains("Index Cond"), "\(line) in\n\(plan)")
      }
    }
  }

  /// The statements of a submission are planned while the queue is empty, and kept: what they look up
  /// for each job must be looked up by index even then.
  @Test
  func submittingLooksUpByIndexWhateverTheStatistics() throws {
    let fixture = try Fixture()
    for (statement, types, values) in [
      (refuseStaged, "", ""), (redoStaged, "(bigint)", "(1)"), (insertJobs, "(bigint)", "(1)"),
      (countLeft, "", ""),
    ] {
      let connection = try fixture.database.store().connection
      try connection.execute(createStaged, named: "staged")
      try connection.execute("PREPARE submit \(types) AS \(statement.text)", named: "prepare")
      let lines = try connection.queryOnce(
        "EXPLAIN (COSTS off) EXECUTE submit \(values)",
        named: "explain"
      ).map { (row) throws(PostgresError) in try row.text(0) }
      let plan = lines.joined(separator: "\n")
      for (line, next) in zip(lines, lines.dropFirst()) {
        for table in ["job", "target"] where line.contains(" on \(table)") {
          let isWrite = line.contains("Insert on") || line.contains("Update on")
          #expect(isWrite || line.contains("Index Scan"), "\(line) in\n\(plan)")
          #expect(isWrite || next.contains("Index Cond"), "\(line) in\n\(plan)")
        }
      }
    }
  }

  /// The second slice is as fast as the first: it took longer than the statement timeout when the
  /// first had been planned with an empty queue.
  @Test
  func aSecondSliceIsLookedUpToo() throws {
    let fixture = try Fixture()
    let batch = try fixture.store.createBatch(Fixture.batch())
    try fixture.store.connection.execute("SET statement_timeout = '20s'", named: "timeout")
    let result = try fixture.store.enqueue((0..<20_500).map { Fixture.job($0) }, into: batch)
    #expect(result == EnqueueResult(inserted: 20_500))
  }

  /// A completion changes no indexed column, so that it makes no index entry.
  @Test
  func completionsAreHeapOnly() throws {
    let fixture = try Fixture()
    let count = 1_000
    try fixture.submit(0..<count)
    let worker = try fixture.worker()
    let admin = try fixture.database.connection()
    func updates() throws -> (all: Int, heapOnly: Int) {
      try admin.execute("SELECT pg_stat_force_next_flush()", named: "flush")
      let row = try admin.queryOnce(
        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relid = 'job'::regclass",
        named: "statistics"
      )[0]
      return (try row.int(0), try row.int(1))
    }
    try fixture.store.connection.execute("SELECT pg_stat_force_next_flush()", named: "flush")
    let before = try updates()
    var done = 0
    while true {
      let jobs = try fixture.store.claim(worker, count: 10)
      if jobs.isEmpty { break }
      done += try fixture.store.complete(jobs.map { Fixture.report($0) }).count
    }
    #expect(done == count)
    try fixture.store.connection.execute("SELECT pg_stat_force_next_flush()", named: "flush")
    let after = try updates()
    // Each job is updated by its claim, which leaves the index of ready jobs, and by its completion.
    #expect(after.all - before.all == 2 * count)
    // Where a page is full the new version goes elsewhere, with its index entries.
    #expect(after.heapOnly - before.heapOnly > count * 6 / 10)
  }
}
