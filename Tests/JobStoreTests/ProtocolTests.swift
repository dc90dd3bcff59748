import DatabaseTestSupport
import Diagnostics
import Digest
import FileSystem
import JobModel
import JobStore
import PostgresClient
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct ProtocolTests {
  @Test
  func aClaimedJobIsWhatWasSubmitted() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([7], policy: .farm)
    let worker = try fixture.worker()
    let job = try #require(try fixture.store.claim(worker, count: 5).first)
    let submitted = Fixture.job(7)
    #expect(job.input == submitted.input)
    #expect(job.outputs == submitted.outputs)
    #expect(job.recipe == Fixture.recipe)
    #expect(job.batch == batch)
    #expect(job.attempt == 1)
    #expect(job.counts == FailureCounts())
    #expect(job.retryPolicy == .farm)
    #expect(try fixture.state(job.id) == .running)
    #expect(try fixture.store.claim(worker, count: 5).isEmpty)
  }

  @Test
  func completionWritesResultsAndProvenanceOnce() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let worker = try fixture.worker()
    let job = try #require(try fixture.store.claim(worker, count: 1).first)
    let output = Fixture.output(job)
    #expect(try fixture.store.recordIntent(job.lease, outputs: [output]) == [])
    #expect(try fixture.store.outputs(of: batch).isEmpty)
    #expect(try fixture.store.complete([Fixture.report(job)]) == [job.id])
    #expect(try fixture.state(job.id) == .ended(.done))
    let published = try fixture.store.outputs(of: batch)
    #expect(published.map(\.job) == [job.id])
    #expect(published.map(\.output) == [output])
    // A repetition, as after a lost connection, takes effect as the first did, once.
    #expect(try fixture.store.complete([Fixture.report(job)]) == [job.id])
    #expect(try fixture.number("SELECT count(*) FROM provenance") == 1)
    #expect(
      try fixture.number(
        """
        SELECT count(*) FROM provenance WHERE job_id = \(job.id) AND worker_id = \(worker)
          AND resolved_settings ->> 'exposure' = '0.5' AND libraries ->> 'libheif' = '1.15.1'
          AND stages -> 1 ->> 1 = '7' AND claimed_at <= finished_at
        """
      ) == 1
    )
    let state = try fixture.store.batch(batch)
    #expect(state.total == 1)
    #expect(state.remaining == 0)
    #expect(
      state.progress
        == BatchProgress(done: 1, pixels: 1_200, inputBytes: 1_000, outputBytes: 50)
    )
    try fixture.store.maintain()
    let finished = try fixture.store.batch(batch)
    #expect(finished.state == .finished)
    #expect(finished.progress == state.progress)
    #expect(finished.finishedMicroseconds != nil)
  }

  /// Several sessions at once get every job exactly once.
  @Test
  func concurrentClaimsGiveEachJobOnce() async throws {
    let fixture = try Fixture()
    let count = 2_000
    try fixture.submit(0..<count)
    let database = fixture.database
    let claimed = try await withThrowingTaskGroup(of: [JobID].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try database.store()
          let worker = try store.register(Fixture.workerSpecification)
          var jobs: [JobID] = []
          var reports: [JobReport] = []
          while true {
            let next = try store.complete(reports, thenClaim: 7, for: worker)
            #expect(next.completed.count == reports.count)
            if next.claimed.isEmpty { return jobs }
            jobs += next.claimed.map(\.id)
            reports = next.claimed.map { Fixture.report($0) }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.count == count)
    #expect(Set(claimed).count == count)
    #expect(try fixture.number("SELECT count(*) FROM provenance") == count)
    #expect(try fixture.number("SELECT count(*) FROM lease") == 0)
  }

  /// A worker that was given up and comes back can neither settle nor publish.
  @Test
  func aZombieIsFenced() throws {
    let fixture = try Fixture()
    try fixture.submit([1])
    let zombie = try fixture.worker()
    let first = try #require(try fixture.store.claim(zombie, count: 1).first)
    #expect(try fixture.store.recordIntent(first.lease, outputs: [Fixture.output(first)]).isEmpty)
    try fixture.store.retire(zombie)
    #expect(try fixture.store.rescue() == [first.id])
    try fixture.passDelays()
    #expect(try fixture.store.promote() == 1)

    let successor = try fixture.worker()
    let second = try #require(try fixture.store.claim(successor, count: 1).first)
    #expect(second.id == first.id)
    #expect(second.attempt == 2)
    #expect(second.counts == FailureCounts(crashes: 1))
    #expect(second.token != first.token)

    #expect(throws: JobStoreError.leaseLost(first.id)) {
      try fixture.store.recordIntent(first.lease, outputs: [Fixture.output(first)])
    }
    #expect(try fixture.store.complete([Fixture.report(first)]).isEmpty)
    #expect(try fixture.store.fail(first, Fixture.failure(.permanent)) == nil)
    #expect(try fixture.store.release([first.lease]).isEmpty)
    #expect(try fixture.store.stop([first.lease]).isEmpty)
    #expect(try fixture.state(first.id) == .running)
    #expect(try fixture.store.claim(zombie, count: 1).isEmpty)
    let beat = try fixture.store.beat(zombie, holding: [first.lease])
    #expect(beat == Heartbeat(state: .dead, lost: [first.id]))

    // The successor sees what the zombie named, and replaces it.
    let intents = try fixture.store.recordIntent(
      second.lease,
      outputs: [Fixture.output(second, content: "other")]
    )
    #expect(
      intents
        == [OutputIntent(attempt: 1, output: Fixture.output(first), isPublished: false)]
    )
    #expect(try fixture.store.complete([Fixture.report(second)]) == [second.id])
    #expect(try fixture.number("SELECT count(*) FROM output") == 1)
    #expect(try fixture.number("SELECT count(*) FROM provenance WHERE attempt = 2") == 1)
  }

  /// Completion and rescue run against each other: each job is decided by exactly one of them.
  @Test
  func completionAndRescueRace() async throws {
    let fixture = try Fixture()
    let count = 300
    let batch = try fixture.submit(
      0..<count,
      policy: RetryPolicy(
        maximumAttempts: 3,
        maximumCrashes: 1,
        maximumDelayMilliseconds: 0
      )
    )
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: count)
    #expect(jobs.count == count)
    let database = fixture.database
    try fixture.store.retire(worker)
    async let completed: Int = {
      let store = try database.store()
      var accepted = 0
      for job in jobs { accepted += try store.complete([Fixture.report(job)]).count }
      return accepted
    }()
    async let rescued: Int = {
      let store = try database.store()
      var taken = 0
      for _ in 0..<(count / 5) { taken += try store.rescue(limit: 5).count }
      return taken
    }()
    let (accepted, taken) = try await (completed, rescued)
    let left = try fixture.store.rescue()
    #expect(accepted + taken + left.count == count)
    #expect(accepted == (try fixture.number("SELECT count(*) FROM provenance")))
    let progress = try fixture.store.batch(batch).progress
    #expect(progress.done == accepted)
    #expect(progress.failed == count - accepted)
  }

  @Test
  func failuresAreRetriedAsThePolicySays() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let worker = try fixture.worker()
    for attempt in 1...3 {
      let job = try #require(try fixture.store.claim(worker, count: 1).first)
      #expect(job.attempt == attempt)
      #expect(job.counts.failures == attempt - 1)
      let decision = try fixture.store.fail(job, Fixture.failure(.transient))
      if attempt < 3 {
        guard case .retry(let delay)? = decision else {
          Issue.record("no retry")
          return
        }
        #expect((1...30_000).contains(delay))
        #expect(try fixture.state(job.id) == .delayed)
        // Its time has not come.
        #expect(try fixture.store.promote() == 0)
        #expect(try fixture.store.claim(worker, count: 1).isEmpty)
        try fixture.passDelays()
        #expect(try fixture.store.promote() == 1)
      } else {
        #expect(decision == .fail)
        #expect(try fixture.state(job.id) == .ended(.failed))
      }
    }
    let failed = try #require(try fixture.store.failures(of: batch).first)
    #expect(failed.input == Fixture.job(1).input.location)
    #expect(failed.attempt == 3)
    #expect(failed.failure.code == "someFailure")
    #expect(failed.failure.message == "it \u{FFFD} failed")
    #expect(try fixture.store.failureCounts(of: batch).map(\.count) == [1])
    #expect(try fixture.number("SELECT count(*) FROM attempt") == 3)
    try fixture.store.maintain()
    #expect(try fixture.store.batch(batch).state == .finished)
  }

  /// A claim that was committed, whose answer was lost with the connection, leaves leases that its
  /// worker does not know of and would beat for without end.
  @Test
  func leasesThatTheirWorkerDoesNotKnowAreGivenBack() throws {
    let fixture = try Fixture()
    try fixture.submit(0..<4)
    let worker = try fixture.worker()
    let known = try fixture.store.claim(worker, count: 1)
    let lost = try fixture.store.claim(worker, count: 1)
    let other = try fixture.store.claim(fixture.worker(), count: 1)
    let released = try fixture.store.releaseForgotten(worker, holding: known.map(\.lease))
    #expect(released == [lost[0].id])
    #expect(try fixture.state(lost[0].id) == .ready)
    #expect(try fixture.state(known[0].id) == .running)
    #expect(try fixture.state(other[0].id) == .running)
    let again = try fixture.store.claim(worker, count: 1)
    #expect(again.map(\.id) == [lost[0].id])
    #expect(again.first?.counts == lost[0].counts)
    #expect(try fixture.store.releaseForgotten(worker, holding: []).count == 2)
  }

  @Test
  func aPermanentFailureIsFinalAtOnce() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let job = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    #expect(try fixture.store.fail(job, Fixture.failure(.permanent)) == .fail)
    #expect(try fixture.state(job.id) == .ended(.failed))
    #expect(try fixture.store.batch(batch).progress.failed == 1)
  }

  @Test
  func aHostFaultSpendsNoAttempt() throws {
    let fixture = try Fixture()
    try fixture.submit([1], policy: .farm)
    let worker = try fixture.worker()
    for _ in 0..<8 {
      let job = try #require(try fixture.store.claim(worker, count: 1).first)
      #expect(job.counts.failures == 0)
      #expect(try fixture.store.fail(job, Fixture.failure(.hostFault)) != .fail)
      try fixture.passDelays()
      try fixture.store.promote()
    }
  }

  /// The third crash is the end, and says why.
  @Test
  func aJobThatKillsItsWorkerFailsAfterThree() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    for crash in 1...3 {
      let worker = try fixture.worker()
      let job = try #require(try fixture.store.claim(worker, count: 1).first)
      #expect(job.counts.crashes == crash - 1)
      let beats = try fixture.store.beats().filter { $0.worker == worker }
      #expect(try fixture.store.bury(beats) == [worker])
      #expect(try fixture.store.rescue() == [job.id])
      try fixture.passDelays()
      try fixture.store.promote()
    }
    #expect(try fixture.store.failures(of: batch).map(\.failure.code) == ["workerLost"])
    #expect(try fixture.store.failures(of: batch).map(\.failure.failureClass) == [.crash])
  }

  @Test
  func aBeatThatMovedProvesLife() throws {
    let fixture = try Fixture()
    let worker = try fixture.worker()
    let seen = try fixture.store.beats()
    #expect(try fixture.store.beat(worker, holding: []) == Heartbeat(state: .active))
    #expect(try fixture.store.bury(seen).isEmpty)
    #expect(try fixture.store.bury(fixture.store.beats()) == [worker])
    #expect(try fixture.store.beat(worker, holding: []).state == .dead)
    #expect(try fixture.store.workers(onHost: "host").isEmpty)
  }

  @Test
  func releaseGivesBackUnspent() throws {
    let fixture = try Fixture()
    try fixture.submit([1, 2])
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: 2)
    try fixture.store.drain(worker)
    #expect(try fixture.store.beat(worker, holding: jobs.map(\.lease)).state == .draining)
    #expect(try fixture.store.release(jobs.map(\.lease)).count == 2)
    #expect(try fixture.store.claim(worker, count: 2).isEmpty)
    let next = try fixture.store.claim(fixture.worker(), count: 2)
    #expect(next.map(\.attempt) == [2, 2])
    #expect(next.map(\.counts) == [FailureCounts(), FailureCounts()])
  }

  @Test
  func cancellationEndsWaitingJobsAndTellsRunningOnes() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<5)
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: 4)
    _ = try fixture.store.fail(jobs[3], Fixture.failure(.transient))
    try fixture.store.cancel(batch)
    #expect(try fixture.store.batch(batch).progress.cancelled == 2)
    let held = jobs.prefix(3).map(\.lease)
    let beat = try fixture.store.beat(worker, holding: held)
    #expect(Set(beat.cancelled) == Set(held.map(\.job)))
    #expect(beat.lost == [])
    // One is stopped, one fails for now, one is given back: all end as cancelled.
    #expect(try fixture.store.stop([jobs[0].lease]) == [jobs[0].id])
    _ = try fixture.store.fail(jobs[1], Fixture.failure(.transient))
    #expect(try fixture.store.release([jobs[2].lease]) == [jobs[2].id])
    for job in jobs { #expect(try fixture.state(job.id) == .ended(.cancelled)) }
    try fixture.store.maintain()
    let ended = try fixture.store.batch(batch)
    #expect(ended.state == .cancelled)
    #expect(ended.finishedMicroseconds != nil)
    #expect(ended.progress.cancelled == 5)
  }

  @Test
  func aPausedBatchIsNotClaimed() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let worker = try fixture.worker()
    #expect(try fixture.store.pause(batch) == .open)
    #expect(try fixture.store.pause(batch) == .paused)
    #expect(try fixture.store.claim(worker, count: 1).isEmpty)
    #expect(try fixture.store.resume(batch) == .paused)
    #expect(try fixture.store.resume(batch) == .open)
    #expect(try fixture.store.claim(worker, count: 1).count == 1)
  }

  /// The hint is cleared only when nothing is ready, and comes back with a job.
  @Test
  func theHintFollowsTheReadyJobs() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    let worker = try fixture.worker()
    let hint = "SELECT count(*) FROM batch WHERE has_ready AND id = \(batch)"
    try fixture.store.maintain()
    #expect(try fixture.number(hint) == 1)
    let job = try #require(try fixture.store.claim(worker, count: 1).first)
    try fixture.store.maintain()
    #expect(try fixture.number(hint) == 0)
    try fixture.store.release([job.lease])
    #expect(try fixture.store.claim(worker, count: 1).map(\.id) == [job.id])
  }

  /// The tables take the same ways as the model's table of states.
  @Test(arguments: JobEvent.all)
  func theStatementsDoWhatTheModelSays(_ event: JobEvent) throws {
    for isCancelled in [false, true] {
      let fixture = try Fixture()
      let batch = try fixture.submit([1], policy: .farm)
      let worker = try fixture.worker()
      let job = try #require(try fixture.store.claim(worker, count: 1).first)
      let start: JobState
      switch event {
      case .claim, .cancel:
        try fixture.store.release([job.lease])
        start = .ready
      case .promote:
        _ = try fixture.store.fail(job, Fixture.failure(.transient))
        try fixture.passDelays()
        start = .delayed
      case .redo:
        _ = try fixture.store.fail(job, Fixture.failure(.permanent))
        start = .ended(.failed)
      default: start = .running
      }
      if isCancelled, event != .redo {
        // Only the batch: what waits is left for the event under test.
        try fixture.database.connection().execute(
          "UPDATE batch SET state = 2 WHERE id = \(batch)",
          named: "test"
        )
      }
      switch event {
      case .claim: _ = try fixture.store.claim(worker, count: 1)
      case .complete: _ = try fixture.store.complete([Fixture.report(job)])
      case .failFinally: try fixture.store.fail(job, Fixture.failure(.permanent))
      case .failForNow: try fixture.store.fail(job, Fixture.failure(.transient))
      case .release: try fixture.store.release([job.lease])
      case .rescueForNow, .rescueFinally:
        if event == .rescueFinally {
          try fixture.database.connection().execute("UPDATE job SET crashes = 2", named: "test")
        }
        try fixture.store.retire(worker)
        try fixture.store.rescue()
      case .promote: try fixture.store.promote()
      case .cancel:
        guard isCancelled else { continue }
        try fixture.store.maintain()
      case .stop: try fixture.store.stop([job.lease])
      case .redo:
        guard !isCancelled else { continue }
        try fixture.store.retryFailed(of: batch)
      }
      let expected = start.after(event, isBatchCancelled: isCancelled) ?? start
      #expect(try fixture.state(job.id) == expected, "cancelled: \(isCancelled)")
    }
  }

  /// What a worker can't reach it leaves to others, whatever else is ready.
  @Test
  func aWorkerClaimsOnlyWhatItCanReach() throws {
    let fixture = try Fixture()
    var specification = Fixture.workerSpecification
    specification.roots = ["/", "shoot"]
    let stranger = try fixture.store.register(specification)
    specification.roots = ["/", "shoot", "out", "more"]
    let local = try fixture.store.register(specification)
    try fixture.submit(0..<3)
    #expect(try fixture.store.claim(stranger, count: 3).isEmpty)
    #expect(try fixture.store.missingRoots(stranger) == ["out"])
    #expect(try fixture.store.missingRoots(local) == [])
    #expect(try fixture.store.claim(local, count: 3).count == 3)
  }
}
