import DatabaseTestSupport
import JobModel
import JobStore
import Testing

/// Batches that wait for others, and batches of which only so many jobs run.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct DependencyTests {
  private func batch(
    _ fixture: Fixture,
    _ numbers: Range<Int>,
    after: BatchID? = nil
  ) throws -> BatchID {
    var specification = Fixture.batch()
    specification.after = after
    let batch = try fixture.store.createBatch(specification)
    #expect(try fixture.store.enqueue(numbers.map { Fixture.job($0) }, into: batch).refused == [])
    try fixture.store.seal(batch)
    return batch
  }

  @Test
  func aBatchWaitsUntilItsPredecessorIsFinishedWhateverFailed() throws {
    let fixture = try Fixture()
    let worker = try fixture.worker()
    let first = try batch(fixture, 0..<2)
    let second = try batch(fixture, 2..<3, after: first)
    let waiting = Batch.Predecessor(batch: first, isCancelled: false)
    #expect(try fixture.store.batch(second).waitsFor == waiting)
    let jobs = try fixture.store.claim(worker, count: 10)
    #expect(jobs.map(\.batch) == [first, first])
    #expect(try fixture.store.fail(jobs[0], Fixture.failure(.permanent)) == .fail)
    #expect(try fixture.store.complete([Fixture.report(jobs[1])]).count == 1)
    // Its jobs have ended; that it has ended itself is for maintenance to say.
    #expect(try fixture.store.claim(worker, count: 10).isEmpty)
    try fixture.store.maintain()
    #expect(try fixture.store.batch(first).state == .finished)
    #expect(try fixture.store.batch(second).waitsFor == nil)
    #expect(try fixture.store.claim(worker, count: 10).map(\.batch) == [second])
  }

  @Test
  func aCancelledPredecessorLeavesItsSuccessorWaiting() throws {
    let fixture = try Fixture()
    let worker = try fixture.worker()
    let first = try batch(fixture, 0..<1)
    let second = try batch(fixture, 1..<2, after: first)
    try fixture.store.cancel(first)
    try fixture.store.maintain()
    let waiting = Batch.Predecessor(batch: first, isCancelled: true)
    #expect(try fixture.store.batch(second).waitsFor == waiting)
    #expect(try fixture.store.claim(worker, count: 10).isEmpty)
  }

  @Test
  func aBatchThatNeverFinishesCannotBeWaitedFor() throws {
    let fixture = try Fixture()
    let first = try batch(fixture, 0..<1)
    try fixture.store.cancel(first)
    #expect(throws: JobStoreError.predecessorCancelled(first)) {
      try batch(fixture, 1..<2, after: first)
    }
  }

  @Test
  func aBatchThatIsNotThereCannotBeWaitedFor() throws {
    let fixture = try Fixture()
    let missing = BatchID(rawValue: 99)
    #expect(throws: JobStoreError.batchMissing(missing)) {
      try batch(fixture, 0..<1, after: missing)
    }
  }
}
