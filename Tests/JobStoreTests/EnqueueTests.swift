import DatabaseTestSupport
import Digest
import FileSystem
import JobModel
import JobStore
import PostgresClient
import TestSupport
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct EnqueueTests {
  @Test
  func aSecondSubmissionOfTheSameWorkDoesNothing() throws {
    let fixture = try Fixture()
    let first = try fixture.submit(0..<10)
    let second = try fixture.store.createBatch(Fixture.batch())
    let jobs = (0..<12).map { Fixture.job($0) }
    let result = try fixture.store.enqueue(jobs + [jobs[3]], into: second)
    #expect(result == EnqueueResult(inserted: 2, live: [first: 10], duplicates: 1))
    #expect(try fixture.store.batch(second).total == 2)
    #expect(try fixture.number("SELECT count(*) FROM job") == 12)
  }

  @Test
  func whatIsKnownOfKeys() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<4)
    let worker = try fixture.worker()
    let claimed = try fixture.store.claim(worker, count: 3)
    _ = try fixture.store.recordIntent(claimed[0].lease, outputs: [Fixture.output(claimed[0])])
    _ = try fixture.store.complete([Fixture.report(claimed[0])])
    try fixture.store.fail(claimed[1], Fixture.failure(.permanent))
    let known = try fixture.store.known((0..<5).map { Fixture.job($0).key })
    #expect(
      known[Fixture.job(0).key]
        == KnownJob(
          id: claimed[0].id,
          batch: batch,
          state: .ended(.done),
          outputs: [Fixture.output(claimed[0])]
        )
    )
    #expect(known[Fixture.job(1).key]?.state == .ended(.failed))
    #expect(known[Fixture.job(2).key]?.state == .running)
    #expect(known[Fixture.job(3).key]?.state == .ready)
    #expect(known[Fixture.job(4).key] == nil)
  }

  /// Failed, cancelled and missing work is done again by the batch that asks for it; done work is not.
  @Test
  func whatIsMissingIsDoneAgain() throws {
    let fixture = try Fixture()
    let first = try fixture.submit(0..<5)
    let worker = try fixture.worker()
    let claimed = try fixture.store.claim(worker, count: 4)
    for job in claimed.prefix(2) {
      _ = try fixture.store.recordIntent(job.lease, outputs: [Fixture.output(job)])
    }
    _ = try fixture.store.complete(claimed.prefix(2).map { Fixture.report($0) })
    try fixture.store.fail(claimed[2], Fixture.failure(.permanent))
    // Number 3 runs, number 4 waits and is cancelled by hand.
    try fixture.database.connection().execute(
      "UPDATE job SET ready = false, outcome = 3, finished_at = now() WHERE ready; "
        + "INSERT INTO tally (batch_id, cancelled) VALUES (\(first), 1)",
      named: "test"
    )
    #expect(try fixture.store.batch(first).remaining == 1)

    let second = try fixture.store.createBatch(Fixture.batch())
    // The file of number 1 is gone.
    let jobs = (0..<6).map { Fixture.job($0, redo: $0 == 1) }
    let result = try fixture.store.enqueue(jobs, into: second)
    #expect(result == EnqueueResult(inserted: 1, redone: 3, live: [first: 1], done: 1))
    try fixture.store.seal(second)

    let left = try fixture.store.batch(first)
    #expect(left.total == 2)
    #expect(left.remaining == 1)
    #expect(
      left.progress == BatchProgress(done: 1, pixels: 1_200, inputBytes: 1_000, outputBytes: 50)
    )
    #expect(try fixture.store.failures(of: first).isEmpty)
    #expect(try fixture.store.batch(second).total == 4)

    // The job keeps its identity, so that its own file may be replaced.
    let again = try fixture.store.claim(worker, count: 10)
    #expect(again.count == 4)
    let redone = try #require(again.first { $0.id == claimed[1].id })
    #expect(redone.attempt == 2)
    #expect(redone.batch == second)
    let intents = try fixture.store.recordIntent(redone.lease, outputs: [Fixture.output(redone)])
    #expect(intents.map(\.isPublished) == [true])
    _ = try fixture.store.complete(again.map { Fixture.report($0) })
    #expect(try fixture.store.batch(second).progress.done == 4)
    try fixture.store.maintain()
    #expect(try fixture.store.batch(second).state == .finished)
  }

  @Test
  func twoJobsWithOneOutputAreRefused() throws {
    let fixture = try Fixture()
    let batch = try fixture.store.createBatch(Fixture.batch())
    // Two states of one input would write one file.
    let old = Fixture.job(1)
    let new = Fixture.job(1, time: 6)
    let output = old.outputs[0].location
    let result = try fixture.store.enqueue([old, new], into: batch)
    #expect(
      result
        == EnqueueResult(
          inserted: 1,
          refused: [
            RefusedJob(key: new.key, input: new.input.location, output: output, holder: nil)
          ]
        )
    )
    // The same across submissions, while the first is live.
    let later = try fixture.store.enqueue([new], into: batch)
    let job = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    #expect(later.refused.map(\.holder) == [job.id])
    #expect(later.inserted == 0)
    // When it has ended, the path is free; the file itself is the publisher's concern.
    try fixture.store.fail(job, Fixture.failure(.permanent))
    #expect(try fixture.store.enqueue([new], into: batch).inserted == 1)
    // And taken again.
    #expect(try fixture.store.enqueue([old], into: batch).refused.count == 1)
  }

  @Test
  func concurrentSubmittersMakeEachJobOnce() async throws {
    let fixture = try Fixture()
    let database = fixture.database
    let results = try await withThrowingTaskGroup(of: EnqueueResult.self) { group in
      for submitter in 0..<4 {
        group.addTask {
          let store = try database.store()
          let batch = try store.createBatch(Fixture.batch())
          // Overlapping, and in another order each.
          let numbers = (submitter * 300)..<(submitter * 300 + 900)
          let jobs = (submitter.isMultiple(of: 2) ? Array(numbers) : numbers.reversed())
            .map { Fixture.job($0) }
          return try store.enqueue(jobs, into: batch)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.map(\.inserted).reduce(0, +) == 1_800)
    for result in results {
      #expect(result.inserted + result.live.values.reduce(0, +) == 900)
    }
    #expect(try fixture.number("SELECT count(*) FROM job") == 1_800)
    #expect(try fixture.number("SELECT count(DISTINCT job_id) FROM target") == 1_800)
    #expect(try fixture.number("SELECT sum(total)::bigint FROM batch") == 1_800)
  }

  @Test
  func aSealedBatchAndAnUnknownRecipeAreRefused() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit([1])
    #expect(throws: JobStoreError.batchClosed(batch)) {
      try fixture.store.enqueue([Fixture.job(2)], into: batch)
    }
    let open = try fixture.store.createBatch(Fixture.batch())
    var job = Fixture.job(3)
    job.recipe = SHA256.digest(of: [9])
    #expect(throws: JobStoreError.recipeMissing(digest: job.recipe.hex)) {
      try fixture.store.enqueue([job], into: open)
    }
    let missing = BatchID(rawValue: 999)
    #expect(throws: JobStoreError.batchMissing(missing)) {
      try fixture.store.enqueue([Fixture.job(4)], into: missing)
    }
    #expect(try fixture.number("SELECT count(*) FROM job") == 1)
  }

  /// A submitter that dies half-way leaves a batch that nobody would ever seal.
  @Test
  func whatADeadSubmitterLeftIsSealedByOthers() throws {
    let fixture = try Fixture()
    let submitter = try fixture.database.store()
    let batch = try submitter.createBatch(Fixture.batch())
    let empty = try submitter.createBatch(Fixture.batch())
    try fixture.store.maintain(now: .seconds(1_000))
    // It lives as long as it does something within 30 s of the observer's time.
    _ = try submitter.enqueue([Fixture.job(1)], into: batch)
    try submitter.beatSubmission(empty)
    try fixture.store.maintain(now: .seconds(1_029))
    try fixture.store.maintain(now: .seconds(1_058))
    #expect(try !fixture.store.batch(batch).isSealed)
    #expect(try fixture.store.batch(empty).state == .open)
    try submitter.seal(empty)
    #expect(try fixture.store.batch(empty).state == .finished)
    // The first look only learns the beats, as that of an observer that has just started does.
    try fixture.database.store().maintain(now: .seconds(9_000))
    #expect(try !fixture.store.batch(batch).isSealed)
    try fixture.store.maintain(now: .seconds(1_060))
    #expect(try fixture.store.batch(batch).isSealed)
    let job = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    _ = try fixture.store.complete([Fixture.report(job)])
    try fixture.store.maintain(now: .seconds(1_061))
    #expect(try fixture.store.batch(batch).state == .finished)
    // It was only slow.
    #expect(try submitter.enqueue([Fixture.job(2)], into: batch).inserted == 1)
    let again = try fixture.store.batch(batch)
    #expect(again.state == .open && !again.isSealed && again.total == 2)
    #expect(try fixture.store.claim(fixture.worker(), count: 1).count == 1)
    try submitter.seal(batch)
    #expect(throws: JobStoreError.batchClosed(batch)) {
      try submitter.enqueue([Fixture.job(3)], into: batch)
    }
  }

  @Test
  func batchesWithoutJobsAreNotListedOnceTheyEnded() throws {
    let fixture = try Fixture()
    let first = try fixture.submit([1])
    let empty = try fixture.store.createBatch(Fixture.batch())
    #expect(try fixture.store.batches().map(\.id) == [empty, first])
    try fixture.store.seal(empty)
    #expect(try fixture.store.batches().map(\.id) == [first])
  }

  @Test
  func anEmptyBatchIsFinishedWhenSealed() throws {
    let fixture = try Fixture()
    let batch = try fixture.store.createBatch(Fixture.batch())
    try fixture.store.seal(batch)
    #expect(try fixture.store.batch(batch).state == .finished)
  }

  @Test
  func namesThatAreNotUTF8Survive() throws {
    let fixture = try Fixture()
    let batch = try fixture.store.createBatch(Fixture.batch())
    let path = FilePath(bytes: [0x61, 0xff, 0x2f, 0x27, 0x5c, 0x0a])
    let input = InputFile(
      location: FileLocation(root: "/", path: path),
      size: 1,
      modificationNanoseconds: .min
    )
    let outputs = [PlannedOutput(id: "heic", location: FileLocation(root: "o'ut", path: path))]
    let job = JobSpecification(
      key: DedupeKey(
        input: input,
        resolvedRecipe: Fixture.recipe.digest,
        pixelVersion: 1,
        outputs: outputs
      ),
      input: input,
      recipe: Fixture.recipe.digest,
      outputs: outputs
    )
    _ = try fixture.store.enqueue([job], into: batch)
    var specification = Fixture.workerSpecification
    specification.roots = ["/", "o'ut"]
    let worker = try fixture.store.register(specification)
    let claimed = try #require(try fixture.store.claim(worker, count: 1).first)
    #expect(claimed.input == input)
    #expect(claimed.outputs == outputs)
  }

  /// Two runs over one folder: what failed for the first may be in the hands of the second.
  @Test
  func failuresOfJobsWhateverBatchTheyBelongTo() throws {
    let fixture = try Fixture()
    let first = try fixture.submit(0..<3)
    let jobs = try fixture.store.claim(fixture.worker(), count: 3)
    for job in jobs.prefix(2) { try fixture.store.fail(job, Fixture.failure(.permanent)) }
    let ids = jobs.map(\.id)
    #expect(try fixture.store.failures(ofJobs: ids).map(\.id) == Array(ids.prefix(2)))
    let second = try fixture.store.createBatch(Fixture.batch())
    _ = try fixture.store.enqueue([Fixture.job(0)], into: second)
    #expect(try fixture.store.failures(of: first).map(\.id) == [ids[1]])
    #expect(try fixture.store.failures(ofJobs: ids).map(\.id) == [ids[1]])
    #expect(try fixture.store.failures(ofJobs: []).isEmpty)
  }

  @Test
  func retryMakesFailedJobsReadyAgain() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<3)
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: 3)
    for job in jobs.prefix(2) { try fixture.store.fail(job, Fixture.failure(.permanent)) }
    _ = try fixture.store.complete([Fixture.report(jobs[2])])
    try fixture.store.maintain()
    #expect(try fixture.store.batch(batch).state == .finished)
    #expect(try fixture.store.retryFailed(of: batch) == RetryResult(again: 2))
    let open = try fixture.store.batch(batch)
    #expect(open.state == .open)
    #expect(open.progress.failed == 0)
    #expect(open.remaining == 2)
    #expect(try fixture.store.claim(worker, count: 5).map(\.counts.failures) == [0, 0])
  }
}
