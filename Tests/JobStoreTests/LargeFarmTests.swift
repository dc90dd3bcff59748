import DatabaseTestSupport
import Digest
import FileSystem
import JobModel
import JobStore
import PostgresClient
import Testing

/// On a farm of a million jobs nobody reads the table of jobs from end to end.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct LargeFarmTests {
  /// How often the table of jobs was scanned, and how many of its pages and its indexes' were touched.
  private struct Reads {
    var scans: Int
    var pages: Int
  }

  private func reads(
    _ session: PostgresConnection,
    _ admin: PostgresConnection
  ) throws -> Reads {
    try session.execute("SELECT pg_stat_force_next_flush()", named: "flush")
    let row = try admin.queryOnce(
      """
      SELECT t.seq_scan::bigint, (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint
      FROM pg_stat_user_tables t JOIN pg_statio_user_tables i USING (relid)
      WHERE relid = 'job'::regclass
      """,
      named: "statistics"
    )[0]
    return Reads(scans: try row.int(0), pages: try row.int(1))
  }

  private func fill(_ admin: PostgresConnection, batch: BatchID) throws {
    // The keys in order: the test is about reading.
    try admin.execute(
      """
      SET statement_timeout = 0;
      INSERT INTO job (batch_id, dedupe_key, recipe_digest, input_root, input_path, input_size,
        input_mtime_ns, output_ids, output_roots, output_paths, ready, outcome, finished_at)
      SELECT \(batch), decode(repeat('00', 24), 'hex') || int8send(n), decode('\(Fixture.recipe.digest.hex)', 'hex'), 'shoot',
        convert_to(n || '.dng', 'UTF8'), 1, 1, '{heic}', '{out}',
        ARRAY[convert_to(n || '.heic', 'UTF8')], n > 500000,
        CASE WHEN n % 500 = 0 AND n <= 500000 THEN 2 WHEN n <= 500000 THEN 1 END,
        CASE WHEN n <= 500000 THEN now() END
      FROM generate_series(1, 1000000) AS n;
      INSERT INTO failure (job_id, batch_id, attempt, class, code, message)
      SELECT id, \(batch), 1, 1, 'code' || id % 3, 'broken' FROM job WHERE outcome = 2;
      INSERT INTO progress (batch_id, done, failed) VALUES (\(batch), 499000, 1000);
      UPDATE batch SET total = 1000000, has_ready = true WHERE id = \(batch);
      ANALYZE job; ANALYZE failure; ANALYZE batch; ANALYZE lease
      """,
      named: "fill"
    )
  }

  @Test func statusAndSteeringReadFewPages() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    let batch = try fixture.store.createBatch(Fixture.batch())
    try fixture.store.seal(batch)
    try admin.execute(
      "UPDATE batch SET state = 0, finished_at = NULL WHERE id = \(batch)",
      named: "open"
    )
    try fill(admin, batch: batch)
    let store = try fixture.database.store()
    let worker = try fixture.worker(store)
    let claimed = try store.claim(worker, count: 100)
    #expect(claimed.count == 100)
    let failed = try store.failures(of: batch, code: "code1", limit: 1)
    let input = try #require(failed.first).input
    // Pages of the table of jobs: of 400 kB to 32 MB, against 300 MB that it and its indexes have.
    let questions: [(String, Int, () throws -> Bool)] = [
      ("batches", 50, { try store.batches(limit: 20).count == 1 }),
      ("batch", 50, { try store.batch(batch).total == 1_000_000 }),
      ("running", 1_000, { try store.running(limit: 1_000).count == 100 }),
      ("workers", 50, { try store.workers().count == 1 }),
      ("failureGroups", 50, { try store.failureGroups(of: batch).count == 3 }),
      (
        "failures", 200,
        { try store.failures(of: batch, code: "code2", limit: 10).count == 10 }
      ),
      ("recentFailures", 200, { try store.recentFailures(limit: 20).count == 20 }),
      ("batchesWithFailures", 50, { try store.batchesWithFailures(limit: 9) == [batch] }),
      ("reportedJobs", 2_000, { try store.reportedJobs(of: batch, limit: 100).count == 100 }),
      ("pause", 50, { try store.pause(batch) == .open }),
      ("resume", 50, { try store.resume(batch) == .paused }),
      ("priority", 50, { try store.setPriority(of: batch, to: 3) == 0 }),
      ("weight", 50, { try store.setWeight(of: batch, to: 3) == 1 }),
      ("cap", 50, { try store.setCap(of: batch, to: 3) == nil }),
      ("drain", 50, { try store.drainWorker(worker) == .active }),
      // It looks at each of the 1,000 failures.
      (
        "retry of a file", 16_000,
        { try store.retryFailed(of: batch, inputs: [input]).again == 1 }
      ),
      (
        "retry of a code", 40_000,
        { try store.retryFailed(of: batch, code: "code2").again == 334 }
      ),
      // A slice of 500 waiting jobs behind 500,000 that have ended: none of these is looked at.
      (
        "cancel", 20_000,
        { try store.cancel(batch) { false } == .open }
      ),
    ]
    var before = try reads(store.connection, admin)
    for (name, bound, ask) in questions {
      #expect(try ask(), "\(name)")
      let after = try reads(store.connection, admin)
      #expect(after.scans == before.scans, "\(name) scans the table of jobs")
      #expect(after.pages - before.pages <= bound, "\(name): \(after.pages - before.pages) pages")
      before = after
    }
  }
}
