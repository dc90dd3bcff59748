import DatabaseTestSupport
import Digest
import JobModel
import JobStore
import PostgresClient
import Synchronization
import TestSupport
import Testing

/// Caps, shares and held snapshots: what a claim takes, and what it reads for it.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct ClaimTests {
  /// Eight sessions claim and complete at once; after each claim its session counts all leases of the
  /// batch as they are committed.
  @Test
  func aCapIsNeverExceededByEightClaimers() throws {
    let fixture = try Fixture()
    var specification = Fixture.batch()
    specification.maximumRunning = 5
    let batch = try fixture.store.createBatch(specification)
    _ = try fixture.store.enqueue((0..<300).map { Fixture.job($0) }, into: batch)
    try fixture.store.seal(batch)
    let peaks = Mutex<[Int]>([])
    let done = Atomic<Int>(0)
    let claimed = Atomic<Int>(0)
    let database = fixture.database
    // Each claimer has a thread of its own, and none completes before all have claimed, so that the cap
    // is reached however few processors there are.
    let claimers = (0..<8).map { _ in
      BackgroundWork {
        Result {
          let store = try database.store()
          let worker = try store.register(Fixture.workerSpecification)
          var isFirst = true
          while done.load(ordering: .relaxed) < 300 {
            let jobs = try store.claim(worker, count: 2)
            if isFirst {
              isFirst = false
              claimed.add(1, ordering: .relaxed)
              try #require(
                Polling.wait(upTo: .seconds(60)) { claimed.load(ordering: .relaxed) == 8 }
              )
            }
            let count = try store.connection.queryOnce(
              "SELECT count(*) FROM lease WHERE batch_id = \(batch)",
              named: "peak"
            )[0].int(0)
            peaks.withLock { $0.append(count) }
            let completed = try store.complete(jobs.map { Fixture.report($0) }).count
            done.add(completed, ordering: .relaxed)
          }
        }
      }
    }
    for claimer in claimers { try #require(claimer.value()).get() }
    #expect(done.load(ordering: .relaxed) == 300)
    #expect(peaks.withLock { $0.max() } == 5)
  }

  /// Without maintenance, too, a claim does not read again what thousands of claims before it took.
  @Test
  func claimsMoveTheHeadOn() throws {
    let fixture = try Fixture()
    _ = try fixture.submit(0..<2_500)
    let worker = try fixture.worker()
    var claimed: [ClaimedJob] = []
    var moves = 0
    while claimed.count < 2_500 {
      let before = try fixture.number("SELECT head_id FROM batch")
      let jobs = try fixture.store.claim(worker, count: 100)
      #expect(jobs.count == 100)
      claimed += jobs
      let head = try fixture.number("SELECT head_id FROM batch")
      let next = try fixture.number("SELECT coalesce(min(id), 0) FROM job WHERE ready")
      if head != before {
        moves += 1
        #expect(head == next)
      }
      #expect(next == 0 || next - head < 1_200)
    }
    #expect(moves == 2)
    // What is given back comes next, from before the head.
    #expect(try fixture.store.release([claimed[5].lease]) == [claimed[5].id])
    #expect(try fixture.store.claim(worker, count: 10).map(\.id) == [claimed[5].id])
  }

  @Test
  func aDeadHolderLeavesNoSlotBehind() throws {
    let fixture = try Fixture()
    var specification = Fixture.batch()
    specification.maximumRunning = 3
    let batch = try fixture.store.createBatch(specification)
    _ = try fixture.store.enqueue((0..<10).map { Fixture.job($0) }, into: batch)
    let dead = try fixture.worker()
    #expect(try fixture.store.claim(dead, count: 10).count == 3)
    let worker = try fixture.worker()
    #expect(try fixture.store.claim(worker, count: 10).isEmpty)
    // Other work is served meanwhile.
    let other = try fixture.submit(100..<102)
    #expect(try fixture.store.claim(worker, count: 10).map(\.batch) == [other, other])
    try fixture.store.retire(dead)
    #expect(try fixture.store.rescue().count == 3)
    #expect(try fixture.store.claim(worker, count: 10).count == 3)
  }

  /// Shares of 1 : 2 : 5 among 800 claims, with the server's generator seeded: always the same counts.
  ///
  /// The bounds are four standard deviations of a binomial: they hold for 99.99 % of seeds.
  @Test
  func batchesAreServedByTheirWeights() throws {
    let fixture = try Fixture()
    var batches: [BatchID: Double] = [:]
    for (index, weight) in [1.0, 2, 5].enumerated() {
      var specification = Fixture.batch()
      specification.weight = weight
      let batch = try fixture.store.createBatch(specification)
      let first = index * 1_000
      _ = try fixture.store.enqueue((first..<(first + 800)).map { Fixture.job($0) }, into: batch)
      batches[batch] = weight / 8
    }
    let worker = try fixture.worker()
    try fixture.store.connection.execute("SELECT setseed(0.25)", named: "seed")
    let claims = 800
    var counts: [BatchID: Int] = [:]
    for _ in 0..<claims {
      let job = try #require(try fixture.store.claim(worker, count: 1).first)
      counts[job.batch, default: 0] += 1
    }
    for (batch, share) in batches {
      let expected = Double(claims) * share
      let bound = 4 * (Double(claims) * share * (1 - share)).squareRoot()
      #expect(abs(Double(counts[batch] ?? 0) - expected) <= bound, "\(counts)")
    }
  }

  /// What a claim reads with a snapshot held while tens of thousands of jobs come and go, and future work
  /// in the way.
  @Test
  func aHeldSnapshotDoesNotCollapseClaims() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    try admin.execute("ALTER TABLE job SET (autovacuum_enabled = off)", named: "autovacuum")
    let batch = try fixture.store.createBatch(Fixture.batch())
    try admin.execute(
      """
      INSERT INTO job (batch_id, dedupe_key, recipe_digest, input_root, input_path, input_size,
        input_mtime_ns, output_ids, output_roots, output_paths, ready, run_at)
      SELECT \(batch), sha256(n::text::bytea), '\\x\(Fixture.recipe.digest.hex)', 'shoot',
        n::text::bytea, 1, 1, '{}', '{}', '{}', n > 10000,
        CASE WHEN n <= 10000 THEN now() + interval '1 day' END
      FROM generate_series(1, 61000) AS n;
      UPDATE batch SET total = 61000, has_ready = true
      """,
      named: "fill"
    )
    let worker = try fixture.worker()
    let before = try buffersOfClaim(fixture, worker)
    // It sees all 51,000 ready jobs for as long as it lives: nothing of them can be removed.
    let holder = try fixture.database.connection()
    try holder.execute(
      "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job",
      named: "hold"
    )
    try admin.execute(
      """
      UPDATE job SET ready = false, outcome = 1, finished_at = now()
      WHERE id IN (SELECT id FROM job WHERE ready ORDER BY id LIMIT 50000)
      """,
      named: "churn"
    )
    let without = try buffersOfClaim(fixture, worker)
    try fixture.store.maintain()
    let held = try buffersOfClaim(fixture, worker)
    #expect(without > 5 * held, "\(before) before, \(without) without the head, \(held) with it")
    #expect(
      held < 2 * before + 100,
      "\(before) before, \(without) without the head, \(held) with it"
    )
    // A job that comes back before the head is found again.
    let first = try admin.queryOnce("SELECT min(id) FROM job WHERE outcome = 1", named: "t")[0]
    let job = try first.int64(0)
    try admin.execute(
      """
      UPDATE job SET ready = true, outcome = NULL, finished_at = NULL WHERE id = \(job);
      SELECT hint_batches(ARRAY[\(job)])
      """,
      named: "back"
    )
    #expect(try fixture.store.claim(worker, count: 1).first?.id == JobID(rawValue: job))
    try holder.execute("ROLLBACK", named: "release")
  }

  /// Pages that a claim of ten jobs reads, in a session whose plans are made; the claim is undone.
  private func buffersOfClaim(_ fixture: Fixture, _ worker: WorkerID) throws -> Int {
    let connection = try fixture.database.store().connection
    let claim = """
      SELECT count(*) FROM claim_jobs(\(worker), 10,
        ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 10)), -1, 9223372036854775807)
      """
    try connection.execute("BEGIN; \(claim); ROLLBACK; BEGIN", named: "plan")
    let lines = try connection.queryOnce(
      "EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off) \(claim)",
      named: "explain"
    ).map { (row) throws(PostgresError) in try row.text(0) }
    try connection.execute("ROLLBACK", named: "undo")
    let line = try #require(lines.first { $0.contains("Buffers: shared") })
    return line.split(separator: " ").compactMap { part -> Int? in
      let pair = part.split(separator: "=")
      guard pair.count == 2, pair[0] == "hit" || pair[0] == "read" else { return nil }
      return Int(pair[1])
    }.reduce(0, +)
  }
}
