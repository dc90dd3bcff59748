import DatabaseTestSupport
import JSON
import JobModel
import JobStore
import PostgresClient
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct EventTests {
  /// The kinds of a batch's events in the order in which they came.
  private func kinds(_ store: JobStore, _ batch: BatchID) throws -> [EventKind] {
    try store.events(of: batch).reversed().map(\.kind)
  }

  /// Claims everything that is ready and completes it, but for the first `failing` of it.
  private func work(_ fixture: Fixture, failing: Int = 0) throws {
    let worker = try fixture.worker()
    let jobs = try fixture.store.claim(worker, count: 1_000)
    for job in jobs.prefix(failing) { try fixture.store.fail(job, Fixture.failure(.permanent)) }
    _ = try fixture.store.complete(jobs.dropFirst(failing).map { Fixture.report($0) })
  }

  @Test
  func aBatchTellsWhatWasDoneToItAndByWhom() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let batch = try fixture.submit(0..<2)
    #expect(try store.pause(batch, by: "ann", reason: "the share is being moved") == .open)
    #expect(try store.pause(batch, by: "bob") == .paused)
    var state = try store.batch(batch)
    #expect(state.state == .paused)
    #expect(state.pausedBy == "ann")
    #expect(state.pauseReason == "the share is being moved")
    #expect(try store.resume(batch, by: "bob") == .paused)
    state = try store.batch(batch)
    #expect(state.pausedBy == nil)
    #expect(state.pauseReason == nil)
    try store.cancel(batch, by: "ann")
    try store.cancel(batch, by: "ann")
    try store.maintain()
    try store.maintain()
    let events = Array(try store.events(of: batch).reversed())
    #expect(
      events.map(\.kind)
        == [.batchCreated, .batchPaused, .batchResumed, .batchCancelled, .batchFinished]
    )
    #expect(events.map(\.actor) == ["", "ann", "bob", "ann", QueueEvent.queueActor])
    #expect(events[1].message == "the share is being moved")
    #expect(events[4].detail["cancelled"] == .integer(2))
    #expect(events[4].detail["isCancelled"] == .bool(true))
    // The newest first, and only what is newer.
    #expect(try store.events(after: events[2].id, limit: 1).map(\.id) == [events[4].id])
  }

  @Test
  func aWorkersLifeIsToldApartFromItsLoss() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let ended = try fixture.worker()
    try store.drain(ended)
    try store.retire(ended)
    let lost = try fixture.worker()
    try store.retire(lost)
    let leaving = try fixture.worker()
    try fixture.submit([1])
    #expect(try store.claim(leaving, count: 1).count == 1)
    try store.drain(leaving)
    try store.retire(leaving)
    let events = try store.events().reversed()
    func kinds(_ worker: WorkerID) -> [EventKind] {
      events.filter { $0.worker == worker }.map(\.kind)
    }
    #expect(kinds(ended) == [.workerStarted, .workerDraining, .workerEnded])
    #expect(kinds(lost) == [.workerStarted, .workerLost])
    #expect(kinds(leaving) == [.workerStarted, .workerDraining, .workerLost])
    #expect(events.allSatisfy { $0.worker == nil || $0.host == "host" })
  }

  @Test
  func aFailureShareIsToldOnceAndTheEndOnce() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let batch = try fixture.submit(0..<100)
    let worker = try fixture.worker()
    func fail(_ count: Int) throws {
      for job in try store.claim(worker, count: count) {
        try store.fail(job, Fixture.failure(.permanent))
      }
      try store.maintain()
    }
    // Nine of nine are too few to say anything.
    try fail(9)
    #expect(try kinds(store, batch) == [.batchCreated])
    try fail(1)
    #expect(try kinds(store, batch) == [.batchCreated, .failureSharePassed])
    try fail(20)
    try work(fixture)
    for _ in 0..<3 { try store.maintain() }
    #expect(try kinds(store, batch) == [.batchCreated, .failureSharePassed, .batchFinished])
    let passed = try #require(try store.events(of: batch).first { $0.kind == .failureSharePassed })
    #expect(passed.message == "10 of 10 jobs that ended have failed, more than 10 %")
    let finished = try #require(try store.events(of: batch).first)
    #expect(finished.detail["done"] == .integer(70))
    #expect(finished.detail["failed"] == .integer(30))
  }

  @Test
  func aSmallShareOfFailuresIsNoNews() throws {
    let fixture = try Fixture()
    let batch = try fixture.submit(0..<200)
    try work(fixture, failing: 20)
    try fixture.store.maintain()
    #expect(try kinds(fixture.store, batch) == [.batchCreated, .batchFinished])
  }

  /// A listener hears of a finished batch once, however many processes keep house.
  @Test
  func listenersAreNotifiedOncePerBatch() throws {
    let fixture = try Fixture()
    let listener = try fixture.database.connection()
    try listener.execute("LISTEN \(fixture.database.schema)", named: "listen")
    let batch = try fixture.submit(0..<30)
    try work(fixture, failing: 12)
    func notifications() throws -> [PostgresNotification] {
      try listener.execute("SELECT", named: "look")
      return try listener.notifications()
    }
    // Neither submissions nor claims, failures or completions notify.
    #expect(try notifications().isEmpty)
    let others = try (0..<3).map { _ in try fixture.database.store() }
    for store in others + [fixture.store] { try store.maintain() }
    let payloads = try notifications().map { try JSONParser.parse($0.payload) }
    #expect(
      payloads.map { $0["kind"] } == [.string("failureSharePassed"), .string("batchFinished")]
    )
    #expect(payloads.allSatisfy { $0["batch"] == .integer(batch.rawValue) })
    #expect(payloads.allSatisfy { $0["name"] == .string("test") })
    let ids = try fixture.store.events(of: batch).reversed().suffix(2).map(\.id.rawValue)
    #expect(payloads.map { $0["event"] } == ids.map { .integer($0) })
  }

  @Test
  func receiversAreToldAtLeastOnce() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let hook = "https://example.org/hook"
    let early = try fixture.submit([1])
    try work(fixture)
    try store.maintain()
    // What was before the first question is no news.
    #expect(try store.takeDeliveries(to: hook).isEmpty)
    let batch = try fixture.submit([2])
    try work(fixture)
    try store.maintain()
    let first = try store.takeDeliveries(to: hook)
    #expect(first.map(\.event.batch) == [batch])
    #expect(first.map(\.event.kind) == [.batchFinished])
    #expect(first.map(\.attempt) == [1])
    // Held by the one who took it, until it failed or nothing was heard.
    #expect(try store.takeDeliveries(to: hook).isEmpty)
    try store.settle(first[0].event.id, to: hook, error: "status 503", retryAfterSeconds: 0)
    let second = try store.takeDeliveries(to: hook, holdSeconds: 0)
    #expect(second.map(\.attempt) == [2])
    let third = try store.takeDeliveries(to: hook)
    #expect(third.map(\.attempt) == [3])
    try store.settle(first[0].event.id, to: hook)
    try fixture.database.connection().execute(
      "UPDATE delivery SET due_at = now() - interval '1 day'",
      named: "pass"
    )
    #expect(try store.takeDeliveries(to: hook).isEmpty)
    // Another receiver has its own beginning and its own failures.
    #expect(try store.takeDeliveries(to: "other").isEmpty)
    let last = try fixture.submit([3])
    try work(fixture)
    try store.maintain()
    for receiver in [hook, "other"] {
      let told = try store.takeDeliveries(to: receiver)
      #expect(told.map(\.event.batch) == [last])
      try store.settle(told[0].event.id, to: receiver, error: "gone", retryAfterSeconds: nil)
      #expect(try store.takeDeliveries(to: receiver).isEmpty)
    }
    #expect(early != batch)
  }

  /// After months without a worker the first event makes the partition that it needs.
  @Test
  func aMissingPartitionIsMade() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    try admin.execute(
      """
      DO $$ DECLARE name regclass; BEGIN
        FOR name IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'event'::regclass LOOP
          EXECUTE format('DROP TABLE %s', name);
        END LOOP;
      END $$
      """,
      named: "drop"
    )
    let batch = try fixture.submit([1])
    #expect(try kinds(fixture.store, batch) == [.batchCreated])
  }
}
