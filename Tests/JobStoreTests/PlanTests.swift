import DatabaseTestSupport
import Digest
import JobModel
import JobStore
import PostgresClient
import Testing

/// The functions of the protocol must read the same few pages however many jobs there are and whatever the
/// statistics say.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct PlanTests {
  private static let tokens =
    "ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 10) AS script)"

  /// Claims ten jobs and does everything with them that a worker can, in one fresh session, as a script.
  private func script(_ worker: WorkerID) -> String {
    """
    SELECT \(Self.tokens) AS t \\gset
    SELECT array_agg(id) AS i FROM claim_jobs(\(worker), 10, :'t', -1, 9223372036854775807) AS script \\gset
    SELECT * FROM beat_worker(\(worker), :'i', :'t');
    SELECT * FROM publish_intents((:'i'::bigint[])[1], (SELECT token FROM lease WHERE job_id =
      (:'i'::bigint[])[1]), '{a}', '{/}', '{a}', '{1}', ARRAY[sha256('a')], '{1}', '{1}', '{heic}',
      '{x}', '{8}');
    SELECT array_agg(job_id) AS i, array_agg(token) AS t FROM lease AS script
      WHERE token = ANY (:'t') \\gset
    SELECT count(*) FROM complete_jobs((:'i'::bigint[])[1:4], (:'t'::uuid[])[1:4], '{1,1,1,1}',
      '{1,1,1,1}', '{1,1,1,1}', array_fill(sha256('a'), '{4}'), array_fill(sha256('a'), '{4}'),
      array_fill('{}'::jsonb, '{4}'), '{1,1,1,1}', '{a,a,a,a}', '{a,a,a,a}', '{a,a,a,a}',
      array_fill('{}'::jsonb, '{4}'), array_fill('[]'::jsonb, '{4}'), '{1,1,1,1}');
    SELECT count(*) FROM fail_jobs((:'i'::bigint[])[5:6], (:'t'::uuid[])[5:6], '{2,1}', '{a,b}',
      '{m,m}', '{0,NULL}', '{0,0}');
    SELECT count(*) FROM release_jobs((:'i'::bigint[])[7:8], (:'t'::uuid[])[7:8]);
    SELECT count(*) FROM stop_jobs((:'i'::bigint[])[9:9], (:'t'::uuid[])[9:9]);
    SELECT promote_jobs(100);
    UPDATE worker SET state = 2 WHERE id = \(worker);
    SELECT count(*) FROM orphaned_leases(100);
    SELECT tidy_batches();
    """
  }

  /// Runs the script and looks at the plan of every statement of every function.
  private func expectIndexPlans(_ fixture: Fixture, _ moment: String) throws {
    let plans = try NestedPlans(fixture.database, script: script(fixture.worker()))
    // Each function's own statement, and what it runs.
    #expect(plans.count > 25, "\(moment): \(plans.output)")
    for plan in plans.nested {
      let lines = plan.split(separator: "\n").map(String.init)
      for (line, next) in zip(lines, lines.dropFirst() + [""]) {
        for bad in ["Seq Scan", "Hash Join", "Merge Join", "Bitmap", "Hash Semi", "Hash Anti"] {
          #expect(!line.contains(bad), "\(moment): \(bad) in\n\(plan)")
        }
        for table in ["job", "lease", "output", "provenance", "worker"]
        where line.contains("Index") && line.contains("Scan") && line.contains(" on \(table) ") {
          // Dead workers' leases can only be found by looking at all leases, which are few.
          let isSearch = table == "lease" && plan.contains("NOT EXISTS (SELECT FROM worker")
          #expect(isSearch || next.contains("Index Cond"), "\(moment): \(line) in\n\(plan)")
        }
      }
    }
  }

  @Test(arguments: [1_000, 100_000])
  func everyFunctionLooksUpByIndexWithAndWithoutStatistics(_ count: Int) throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    try admin.execute("ALTER TABLE job SET (autovacuum_enabled = off)", named: "autovacuum")
    try fixture.submit(1_000_000..<1_000_010)
    // Planned, and kept, while the queue is as good as empty.
    try expectIndexPlans(fixture, "empty")
    let batch = try fixture.store.createBatch(Fixture.batch())
    try admin.execute(
      """
      INSERT INTO job (batch_id, dedupe_key, recipe_digest, input_root, input_path, input_size,
        input_mtime_ns, output_ids, output_roots, output_paths)
      SELECT \(batch), sha256(n::text::bytea), '\\x\(Fixture.recipe.digest.hex)', 'shoot',
        n::text::bytea, 1, 1, '{}', '{}', '{}'
      FROM generate_series(1, \(count)) AS n;
      UPDATE batch SET total = total + \(count), has_ready = true WHERE id = \(batch);
      INSERT INTO lease (job_id, token, worker_id, attempt, batch_id)
      SELECT -n, gen_random_uuid(), 1, 1, \(batch) FROM generate_series(1, 200) AS n
      """,
      named: "fill"
    )
    try expectIndexPlans(fixture, "\(count), no statistics")
    try admin.execute("ANALYZE", named: "analyze")
    try expectIndexPlans(fixture, "\(count), analysed")
    // Most are done: statistics of before that.
    try admin.execute(
      """
      UPDATE job SET ready = false, outcome = 1, finished_at = now() WHERE ready AND id % 20 <> 0
      """,
      named: "finish"
    )
    try expectIndexPlans(fixture, "\(count), mostly done, old statistics")
    try admin.execute("ANALYZE", named: "analyze")
    try expectIndexPlans(fixture, "\(count), mostly done, analysed")
  }

  /// What a submission looks up for each job it looks up by index, also in the session in which the first
  /// slice was planned with an empty queue.
  @Test
  func submittingLooksUpByIndexWhateverTheStatistics() throws {
    let fixture = try Fixture()
    let batch = try fixture.store.createBatch(Fixture.batch())
    let stage = """
      BEGIN;
      SELECT open_staging();
      INSERT INTO staged SELECT n, sha256(n::text::bytea), false, 0,
        '\\x\(Fixture.recipe.digest.hex)', 'shoot', 'p', 1, 1, '{}', '{}', '{}',
        ARRAY[sha256(('t' || n)::bytea)], false FROM generate_series(1, 100) AS n;
      SELECT inserted, refused_rows, left_live FROM enqueue_staged(\(batch));
      COMMIT;
      """
    let plans = try NestedPlans(fixture.database, script: stage + stage)
    #expect(plans.count > 15, "\(plans.output)")
    for plan in plans.nested {
      let lines = plan.split(separator: "\n").map(String.init)
      for (line, next) in zip(lines, lines.dropFirst() + [""]) {
        for table in ["job", "target"] where line.contains(" on \(table) ") {
          let isWrite = line.contains("Insert on") || line.contains("Update on")
          let isLookup = line.contains("Index Scan") || line.contains("Index Only Scan")
          #expect(isWrite || isLookup, "\(line) in\n\(plan)")
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
