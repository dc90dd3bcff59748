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
    #expect(try fixture.store.batch(batch).progress.cancelled == 10_000)
    #expect(try fixture.store.claim(fixture.worker(), count: 1).isEmpty)
    try fixture.store.maintain()
    try fixture.store.maintain()
    #expect(try fixture.store.batch(batch).progress.cancelled == 10_050)
    #expect(try fixture.store.batch(batch).finishedMicroseconds != nil)
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
