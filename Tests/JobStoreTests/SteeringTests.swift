import DatabaseTestSupport
import Diagnostics
import Digest
import FileSystem
import JobModel
import JobStore
import PostgresClient
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct SteeringTests {
  private static let missing = BatchID(rawValue: 99)

  /// Every command names a batch that is not there, and changes nothing when it is given twice.
  @Test
  func everyCommandIsIdempotentAndNamesWhatIsMissing() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let batch = try fixture.submit(0..<3)
    #expect(throws: JobStoreError.batchMissing(Self.missing)) { try store.cancel(Self.missing) }
    #expect(throws: JobStoreError.batchMissing(Self.missing)) { try store.pause(Self.missing) }
    #expect(throws: JobStoreError.batchMissing(Self.missing)) { try store.resume(Self.missing) }
    #expect(throws: JobStoreError.batchMissing(Self.missing)) {
      try store.setPriority(of: Self.missing, to: 1)
    }
    #expect(throws: JobStoreError.batchMissing(Self.missing)) {
      try store.setWeight(of: Self.missing, to: 2)
    }
    #expect(throws: JobStoreError.batchMissing(Self.missing)) {
      try store.retryFailed(of: Self.missing)
    }
    let worker = WorkerID(rawValue: 99)
    #expect(throws: JobStoreError.workerMissing(worker)) { try store.drainWorker(worker) }

    #expect(try store.setPriority(of: batch, to: -7) == 0)
    #expect(try store.setPriority(of: batch, to: -7) == -7)
    #expect(try store.setWeight(of: batch, to: 2.5) == 1)
    #expect(try store.setWeight(of: batch, to: 2.5) == 2.5)
    #expect(try store.batch(batch).priority == -7)
    #expect(try store.cancel(batch) == .open)
    #expect(try store.cancel(batch) == .cancelled)
    #expect(try store.pause(batch) == .cancelled)
    #expect(try store.resume(batch) == .cancelled)
    #expect(try store.batch(batch).progress.cancelled == 3)
    #expect(throws: JobStoreError.batchCancelled(batch)) { try store.retryFailed(of: batch) }
  }

  @Test
  func aFinishedBatchStaysFinished() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let worker = try fixture.worker()
    let job = try #require(try fixture.store.claim(worker, count: 1).first)
    _ = try fixture.store.complete([Fixture.report(job)])
    try fixture.store.maintain()
    #expect(try fixture.store.cancel(batch) == .finished)
    #expect(try fixture.store.pause(batch) == .finished)
    #expect(try fixture.store.batch(batch).state == .finished)
  }

  @Test
  func aDrainedWorkerClaimsNoMore() throws {
    let fixture = try Fixture()
    try fixture.submit(0..<3)
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: 1)
    #expect(try fixture.store.drainWorker(worker) == .active)
    #expect(try fixture.store.drainWorker(worker) == .draining)
    #expect(try fixture.store.claim(worker, count: 1).isEmpty)
    #expect(try fixture.store.beat(worker, holding: jobs.map(\.lease)).state == .draining)
    #expect(try fixture.store.complete(jobs.map { Fixture.report($0) }).count == 1)
    try fixture.store.retire(worker)
    #expect(try fixture.store.drainWorker(worker) == .dead)
  }

  /// A cancellation that runs out of patience leaves the rest to maintenance; none of it is claimed.
  @Test
  func anImpatientCancellationIsEndedByMaintenance() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<10_050)
    var slices = 0
    try fixture.store.cancel(batch) {
      slices += 1
      return false
    }
    #expect(slices == 1)
    #expect(try fixture.store.batch(batch).progress.cancelled == Int(SlicePace().count))
    #expect(try fixture.store.claim(fixture.worker(), count: 1).isEmpty)
    try fixture.store.maintain()
    try fixture.store.maintain()
    #expect(try fixture.store.batch(batch).progress.cancelled == 10_050)
    #expect(try fixture.store.batch(batch).finishedMicroseconds != nil)
  }

  /// Slices grow and shrink so that each takes about as long, within bounds.
  @Test
  func slicesKeepTheirPace() {
    var pace = SlicePace()
    #expect(pace.count == 500)
    pace.took(.milliseconds(400))
    #expect(pace.count == 250)
    pace.took(.milliseconds(100))
    #expect(pace.count == 500)
    pace.took(.zero)
    #expect(pace.count == 2_000)
    for _ in 0..<5 { pace.took(.milliseconds(10)) }
    #expect(pace.count == 10_000)
    for _ in 0..<5 { pace.took(.seconds(60)) }
    #expect(pace.count == 100)
  }

  /// Ready ones of any priority, wherever the head of claims stands, and delayed ones; none that runs.
  @Test
  func cancellingEndsAllThatWaits() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    let batch = try fixture.submit(0..<3_000)
    let running = try fixture.store.claim(fixture.worker(), count: 3)
    #expect(running.count == 3)
    let other = try fixture.submit(5_000..<5_010)
    try admin.execute(
      """
      UPDATE job SET ready = false, run_at = now() + interval '1 hour'
      WHERE ready AND id % 3 = 0 OR batch_id = \(other);
      UPDATE job SET priority = id % 7 - 3;
      UPDATE batch SET head_rank = 0, head_id = 1500 WHERE id = \(batch)
      """,
      named: "mix"
    )
    var slices = 0
    try fixture.store.cancel(batch) {
      slices += 1
      return true
    }
    #expect(slices > 2)
    try fixture.store.maintain()
    let counts = try admin.queryOnce(
      """
      SELECT count(*) FILTER (WHERE outcome = 3), count(*) FILTER (WHERE outcome IS NULL),
        count(*) FILTER (WHERE ready OR run_at IS NOT NULL)
      FROM job WHERE batch_id = \(batch)
      """,
      named: "count"
    )[0]
    #expect(try [counts.int(0), counts.int(1), counts.int(2)] == [2_997, 3, 0])
    #expect(try fixture.store.batch(batch).progress.cancelled == 2_997)
    #expect(
      try fixture.number("SELECT count(*) FROM job WHERE batch_id = \(other) AND outcome IS NULL")
        == 10
    )
  }

  /// Many slices come to the same as one, and the sum is told after each.
  @Test
  func aLongRetryTellsHowFarItIs() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<1_200)
    try fixture.database.connection().execute(
      """
      UPDATE job SET ready = false, outcome = 2, finished_at = now();
      INSERT INTO failure (job_id, batch_id, attempt, class, code, message)
      SELECT id, \(batch), 1, 1, 'code' || id % 2, 'broken' FROM job;
      INSERT INTO progress (batch_id, failed) VALUES (\(batch), 1200)
      """,
      named: "fail"
    )
    var sums: [Int] = []
    let result = try fixture.store.retryFailed(of: batch) { sums.append($0.again) }
    #expect(result == RetryResult(again: 1_200))
    #expect(sums.count > 2)
    #expect(sums.first == 500)
    #expect(sums == sums.sorted())
    #expect(sums.last == 1_200)
    #expect(try fixture.number("SELECT count(*) FROM job WHERE ready") == 1_200)
    #expect(try fixture.store.batch(batch).progress.failed == 0)
  }

  /// Jobs that failed with different codes, by their number.
  private func failing(_ fixture: Fixture, _ codes: [String?]) throws -> (BatchID, [ClaimedJob]) {
    let batch = try fixture.submit(0..<codes.count)
    let jobs = try fixture.store.claim(fixture.worker(), count: codes.count)
    for (job, code) in zip(jobs, codes) {
      guard let code else { continue }
      try fixture.store.fail(
        job,
        JobFailure(
          failureClass: .permanent,
          code: ErrorCode(rawValue: code),
          message: "\(code) in \(job.id)"
        )
      )
    }
    return (batch, jobs)
  }

  @Test
  func failuresAreGroupedByCode() throws {
    let fixture = try Fixture()
    let (batch, jobs) = try failing(fixture, ["a", "b", "a", nil, "a"])
    #expect(
      try fixture.store.failureGroups(of: batch) == [
        FailureGroup(code: "a", failureClass: .permanent, count: 3),
        FailureGroup(code: "b", failureClass: .permanent, count: 1),
      ]
    )
    let named = try fixture.store.failures(of: batch, code: "a", limit: 2)
    #expect(named.map(\.id) == [jobs[0].id, jobs[2].id])
    let rest = try fixture.store.failures(of: batch, code: "a", after: jobs[2].id, limit: 2)
    #expect(rest.map(\.id) == [jobs[4].id])
    let recent = try fixture.store.recentFailures(limit: 2)
    #expect(recent.map(\.job.id) == [jobs[4].id, jobs[2].id])
    #expect(recent.allSatisfy { $0.batch == batch })
    let other = try fixture.store.createBatch(Fixture.batch())
    #expect(try fixture.store.failureGroups(of: other).isEmpty)
    #expect(try fixture.store.batchesWithFailures(limit: 5) == [batch])
  }

  @Test
  func retryTakesCodesAndFiles() throws {
    let fixture = try Fixture()
    let (batch, jobs) = try failing(fixture, ["a", "b", "a", nil, "a"])
    #expect(
      try fixture.store.retryFailed(of: batch, inputs: [jobs[2].input.location])
        == RetryResult(again: 1)
    )
    #expect(try fixture.state(jobs[2].id) == .ready)
    #expect(try fixture.store.retryFailed(of: batch, inputs: []) == RetryResult())
    #expect(
      try fixture.store.retryFailed(of: batch, code: "b", inputs: [jobs[0].input.location])
        == RetryResult()
    )
    #expect(try fixture.store.retryFailed(of: batch, code: "a") == RetryResult(again: 2))
    #expect(try fixture.store.retryFailed(of: batch, code: "a") == RetryResult())
    #expect(try fixture.state(jobs[1].id) == .ended(.failed))
    #expect(try fixture.store.batch(batch).progress.failed == 1)
    #expect(try fixture.store.retryFailed(of: batch) == RetryResult(again: 1))
    #expect(try fixture.number("SELECT count(*) FROM failure") == 0)
  }

  /// Job 0 failed; another job took its output path over: while that one lives, the failed one stays.
  @Test
  func aRetryDoesNotWriteWhatAnotherJobWrites() throws {
    let fixture = try Fixture()
    let (batch, jobs) = try failing(fixture, ["a", nil])
    let other = try fixture.store.createBatch(Fixture.batch())
    let heir = Fixture.job(0, time: 6)
    #expect(try fixture.store.enqueue([heir], into: other).inserted == 1)
    try fixture.store.seal(other)
    #expect(try fixture.store.retryFailed(of: batch) == RetryResult(held: 1))
    #expect(try fixture.state(jobs[0].id) == .ended(.failed))
    try fixture.store.cancel(other)
    #expect(try fixture.store.retryFailed(of: batch) == RetryResult(again: 1))
    // The path is the first job's again: a third one is refused.
    let third = try fixture.store.createBatch(Fixture.batch())
    let refused = try fixture.store.enqueue([Fixture.job(0, time: 7)], into: third).refused
    #expect(refused.map(\.holder) == [jobs[0].id])
  }

  /// The database's digest of an output path is the program's.
  @Test
  func targetsAreDigestedAsByTheProgram() throws {
    let fixture = try Fixture()
    for location in [
      FileLocation(root: "/", path: FilePath(bytes: [0x61, 0xFF, 0x2F, 0x0A])),
      FileLocation(root: "schoß", path: "day1/ä.heic"),
    ] {
      let row = try fixture.database.connection().queryOnce(
        "SELECT output_target($1, $2)",
        [.text(location.root), .bytes(location.path.bytes)],
        named: "test"
      )[0]
      #expect(try row.bytes(0) == TargetKey(location).digest.bytes)
    }
  }
}
