import DatabaseTestSupport
import Diagnostics
import FileSystem
import JSON
import JobModel
import JobStore
import PostgresClient
import Testing

/// What the store makes of failures that are not the inputs' fault: pauses, hosts, memory.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct TroubleTests {
  private let fixture: Fixture
  private var store: JobStore { fixture.store }

  init() throws {
    fixture = try Fixture()
  }

  private static let patient = RetryPolicy(
    maximumAttempts: 100,
    maximumCrashes: 100,
    baseDelayMilliseconds: 600_000,
    maximumDelayMilliseconds: 600_000
  )

  /// A sealed batch of jobs whose inputs are spread evenly over folders.
  private func submit(_ count: Int, folders: Int, first: Int = 0) throws -> BatchID {
    let batch = try store.createBatch(Fixture.batch(Self.patient))
    let jobs = (first..<first + count).map { number in
      Fixture.job(number, folder: "day\(number % folders)")
    }
    #expect(try store.enqueue(jobs, into: batch).inserted == count)
    try store.seal(batch)
    return batch
  }

  private func worker(_ host: String, memory: MemoryShare? = nil) throws -> WorkerID {
    var specification = Fixture.workerSpecification
    specification.host = host
    specification.memory = memory
    return try store.register(specification)
  }

  private func failure(_ code: ErrorCode, _ failureClass: FailureClass) -> JobFailure {
    JobFailure(failureClass: failureClass, code: code, message: "the share is gone")
  }

  private func fail(
    _ worker: WorkerID,
    _ count: Int,
    _ code: ErrorCode = "inputOutputError",
    _ failureClass: FailureClass = .transient
  ) throws {
    let jobs = try store.claim(worker, count: count)
    #expect(jobs.count == count)
    for job in jobs { try store.fail(job, failure(code, failureClass)) }
  }

  private func complete(_ worker: WorkerID, _ count: Int) throws {
    let jobs = try store.claim(worker, count: count)
    #expect(jobs.count == count)
    #expect(try store.complete(jobs.map { Fixture.report($0) }).count == count)
  }

  // MARK: Pauses

  @Test(arguments: [FailureClass.transient, .resource, .crash])
  func aBatchWhoseJobsFailAlikeIsPaused(failureClass: FailureClass) throws {
    let batch = try submit(60, folders: 3)
    let worker = try worker("a")
    try fail(worker, 19, "someCode", failureClass)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
    try fail(worker, 1, "someCode", failureClass)
    try store.maintain()
    let paused = try store.batch(batch)
    #expect(paused.state == .paused)
    #expect(paused.pausedBy == QueueEvent.queueActor)
    #expect(
      paused.pauseReason
        == "20 jobs in 3 folders failed in a row with someCode: the share is gone"
    )
    let event = try #require(try store.events(of: batch).first)
    #expect(event.kind == .batchPaused)
    #expect(event.detail["code"] == .string("someCode"))
    #expect(try store.claim(worker, count: 1).isEmpty)
    // Who resumes it has seen these failures: only new ones count.
    #expect(try store.resume(batch, by: "ann") == .paused)
    try fail(worker, 19, "someCode", failureClass)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
    try fail(worker, 1, "someCode", failureClass)
    try store.maintain()
    #expect(try store.batch(batch).state == .paused)
    #expect(try store.events(of: batch).count { $0.kind == .batchPaused } == 2)
  }

  @Test
  func badInputsNeverPause() throws {
    let batch = try submit(100, folders: 10)
    let worker = try worker("a")
    try fail(worker, 60, "damaged", .permanent)
    try fail(worker, 30, "rootNotMounted", .hostFault)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
  }

  @Test
  func aDoneJobBreaksTheRow() throws {
    let batch = try submit(100, folders: 5)
    let worker = try worker("a")
    for _ in 0..<3 {
      try fail(worker, 15)
      try complete(worker, 1)
      try store.maintain()
    }
    try fail(worker, 15)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
  }

  @Test
  func anotherReasonBreaksTheRow() throws {
    let batch = try submit(100, folders: 5)
    let worker = try worker("a")
    try fail(worker, 15)
    try fail(worker, 1, "timedOut")
    try fail(worker, 15)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
    // Permanent failures are no other reason: they say nothing about the farm.
    try fail(worker, 3, "damaged", .permanent)
    try fail(worker, 5)
    try store.maintain()
    #expect(try store.batch(batch).state == .paused)
  }

  @Test
  func twoFoldersAreAFolderTooFew() throws {
    let batch = try submit(60, folders: 2)
    try fail(worker("a"), 60)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
  }

  /// Seven jobs that fail five times each are seven jobs.
  @Test
  func repeatedFailuresOfFewJobsDoNotPause() throws {
    let batch = try submit(7, folders: 7)
    let worker = try worker("a")
    for _ in 0..<6 {
      try fail(worker, 7)
      try fixture.passDelays()
      try store.maintain()
    }
    #expect(try store.batch(batch).state == .open)
  }

  /// A machine that lost its power took 30 jobs with it.
  @Test
  func lostWorkersDoNotPause() throws {
    let batch = try submit(60, folders: 6)
    let worker = try worker("a")
    #expect(try store.claim(worker, count: 30).count == 30)
    try store.retire(worker)
    try store.maintain()
    try store.maintain()
    #expect(try fixture.number("SELECT count(*) FROM job WHERE crashes = 1") == 30)
    #expect(try store.batch(batch).state == .open)
  }

  /// While another host works on the batch, it may be the host.
  @Test
  func oneHostAloneIsNotBelieved() throws {
    let batch = try submit(100, folders: 5)
    let bad = try worker("bad")
    let other = try worker("other")
    let held = try store.claim(other, count: 2)
    try fail(bad, 30)
    try store.maintain()
    #expect(try store.batch(batch).state == .open)
    // The other host fails in the same way: it is the batch.
    try store.fail(held[0], failure("inputOutputError", .transient))
    try store.maintain()
    #expect(try store.batch(batch).state == .paused)
  }

  // MARK: Hosts

  @Test
  func aBadHostIsSetAsideAndClaimsNothing() throws {
    _ = try submit(300, folders: 2)
    let bad = try worker("bad")
    let good = try worker("good")
    try complete(good, 60)
    try fail(bad, 25)
    try store.maintain()
    let aside = try #require(try store.setAside().first)
    #expect(aside.host == "bad")
    #expect(aside.root == nil)
    #expect(
      aside.reason == "100 % of its 25 attempts failed, on other hosts 0 % of the same batches"
    )
    #expect(try store.claim(bad, count: 5).isEmpty)
    // A new process on the same host is no better.
    #expect(try store.claim(worker("bad"), count: 5).isEmpty)
    #expect(try store.claim(good, count: 5).count == 5)
    #expect(try store.events().contains { $0.kind == .hostSetAside && $0.host == "bad" })
    // Lifted by hand, it is as good as new.
    #expect(try store.allow(host: "bad", by: "ann"))
    #expect(try !store.allow(host: "bad", by: "ann"))
    #expect(try store.setAside().isEmpty)
    #expect(try store.claim(bad, count: 1).count == 1)
    #expect(try store.events().first?.kind == .hostAllowed)
  }

  @Test
  func refutedFailuresAreFound() throws {
    let batch = try submit(30, folders: 2)
    let bad = try worker("bad")
    let good = try worker("good")
    try fail(bad, 6)
    try fixture.passDelays()
    try store.maintain()
    try complete(good, 30)
    try store.maintain()
    let records = try store.hostRecords()
    #expect(records.map(\.host) == ["bad", "good"])
    #expect(records.map(\.refuted) == [6, 0])
    #expect(records.map { $0.batches[batch] } == [.init(troubled: 6), .init(done: 30)])
    #expect(records.allSatisfy { $0.isLive })
    // Six attempts are too few to judge by.
    #expect(try store.setAside().isEmpty)
  }

  @Test
  func theOnlyHostIsNeverSetAside() throws {
    _ = try submit(200, folders: 2)
    let bad = try worker("bad")
    let gone = try worker("gone")
    try complete(gone, 60)
    try store.retire(gone)
    try fail(bad, 50)
    try store.maintain()
    #expect(try store.setAside().isEmpty)
  }

  @Test
  func aRootIsSetAsideForLongerEachTime() throws {
    _ = try submit(5, folders: 2)
    let worker = try worker("a")
    func lengths(_ times: Int) throws -> [Int] {
      try (0..<times).map { _ in
        let until = try store.setAside(
          host: "a",
          root: "out",
          reason: "full",
          seconds: 10,
          mostSeconds: 60
        )
        #expect(until != nil)
        // Set aside already: nothing changes.
        #expect(
          try store.setAside(host: "a", root: "out", reason: "full", seconds: 10) == nil
        )
        let aside = try #require(try store.setAside().first)
        #expect(try store.claim(worker, count: 1).isEmpty)
        try fixture.database.connection().execute(
          "UPDATE set_aside SET until = clock_timestamp()",
          named: "pass"
        )
        return Int((aside.untilMicroseconds - aside.sinceMicroseconds + 500_000) / 1_000_000)
      }
    }
    #expect(try lengths(5) == [10, 20, 40, 60, 60])
    // Another root of the host and another host's are not meant.
    try store.setAside(host: "a", root: "elsewhere", reason: "full", seconds: 60)
    try store.setAside(host: "b", root: "out", reason: "full", seconds: 60)
    #expect(try store.claim(worker, count: 1).count == 1)
    // After a good day it is the first time again.
    try fixture.database.connection().execute(
      "UPDATE set_aside SET until = clock_timestamp() - interval '25 hours'",
      named: "pass"
    )
    #expect(try lengths(1) == [10])
  }

  // MARK: Memory

  @Test
  func aJobThatRanOutOfMemoryGoesWhereThereIsMore() throws {
    _ = try submit(3, folders: 1)
    let share = MemoryShare(whole: 8_000, slots: 4)
    let small = try worker("small", memory: share)
    let ordinary = MemoryRange(upTo: share.slot)
    var job = try #require(try store.claim(small, count: 1, memory: ordinary).first)
    let first = job.id
    #expect(job.memoryFloor == 0)
    func runOut(_ limit: Int64) throws -> RetryPolicy.Decision? {
      var failure = failure("outOfMemory", .resource)
      failure.memoryLimit = limit
      let decision = try store.fail(job, failure)
      try fixture.passDelays()
      try store.promote()
      return decision
    }
    #expect(try store.heavyWaiting(small) == nil)
    #expect(try runOut(2_000) != .fail)
    #expect(try store.heavyWaiting(small) == 4_000)
    // A slot gets the others, and only them.
    let others = try store.claim(small, count: 5, memory: ordinary)
    #expect(others.count == 2)
    #expect(!others.contains { $0.id == first })
    #expect(
      try store.claim(small, count: 1, memory: MemoryRange(above: 2_000, upTo: 3_999)).isEmpty
    )
    // Wherever it stands in its batch: done again by a later submission, it is where it was at first.
    try fixture.database.connection().execute(
      "UPDATE job SET priority = 3 WHERE memory_floor > 0",
      named: "place"
    )
    let two = MemoryRange(above: share.slot, upTo: share.bytes(ofSlots: 2))
    job = try #require(try store.claim(small, count: 1, memory: two).first)
    #expect(job.id == first)
    #expect(job.memoryFloor == 4_000)
    #expect(try runOut(4_000) != .fail)
    #expect(try store.heavyWaiting(small) == 8_000)
    let all = MemoryRange(above: share.slot, upTo: share.bytes(ofSlots: 4))
    job = try #require(try store.claim(small, count: 1, memory: all).first)
    // The farm has no more: it fails by name.
    #expect(try runOut(8_000) == .fail)
    let failed = try #require(try store.failures(ofJobs: [first]).first)
    #expect(failed.failure.code == "outOfMemory")
    #expect(failed.failure.message.hasSuffix("no worker of the farm can give it more"))
    #expect(try store.heavyWaiting(small) == nil)
  }

  @Test
  func aBiggerWorkerIsAskedFor() throws {
    _ = try submit(1, folders: 1)
    let small = try worker("small", memory: MemoryShare(whole: 2_000, slots: 1))
    let big = try worker("big", memory: MemoryShare(whole: 64_000, slots: 16))
    let job = try #require(try store.claim(small, count: 1, memory: .init(upTo: 2_000)).first)
    var failure = failure("outOfMemory", .resource)
    failure.memoryLimit = 2_000
    try store.fail(job, failure)
    try fixture.passDelays()
    try store.promote()
    #expect(try store.claim(small, count: 1, memory: .init(upTo: 2_000)).isEmpty)
    #expect(try store.heavyWaiting(small) == nil)
    // An ordinary slot of the big one has 4,000.
    #expect(try store.claim(big, count: 1, memory: .init(upTo: 4_000)).count == 1)
  }

  // MARK: Unclear commits

  /// The answer to a call may be lost with the connection: repeated, it says what the first one did.
  @Test
  func repeatedFailuresAndReleasesSayWhatWasCommitted() throws {
    _ = try submit(2, folders: 1)
    let worker = try worker("a")
    let jobs = try store.claim(worker, count: 2)
    let failure = failure("timedOut", .transient)
    for _ in 0..<2 {
      guard case .retry = try store.fail(jobs[0], failure) else {
        Issue.record("the failure is not known")
        continue
      }
    }
    #expect(try store.release([jobs[1].lease]) == [jobs[1].id])
    #expect(try store.release([jobs[1].lease]) == [jobs[1].id])
    #expect(try fixture.number("SELECT failures FROM job WHERE id = \(jobs[0].id)") == 1)
    #expect(try fixture.number("SELECT count(*) FROM attempt") == 2)
    // What somebody else decided is not this call's doing.
    let again = try #require(
      try store.claim(worker, count: 2).first { $0.id == jobs[1].id }
    )
    try store.retire(worker)
    try store.rescue()
    #expect(try store.fail(again, failure) == nil)
    #expect(try store.release([again.lease]) == [])
  }

  // MARK: Crashes

  @Test
  func theLastCrashSaysThatTheJobKillsItsWorker() throws {
    try fixture.submit([1], policy: .farm)
    let worker = try worker("a")
    var id: JobID?
    for _ in 0..<3 {
      let job = try #require(try store.claim(worker, count: 1).first)
      id = job.id
      try store.fail(job, failure("childCrashed", .crash))
      try fixture.passDelays()
      try store.promote()
    }
    let killer = try #require(id)
    let failed = try #require(try store.failures(ofJobs: [killer]).first)
    #expect(failed.failure.code == "childCrashed")
    #expect(
      failed.failure.message == "the job kills its worker: the share is gone"
    )
    #expect(try fixture.number("SELECT count(*) FROM attempt WHERE code = 'childCrashed'") == 3)
  }
}
