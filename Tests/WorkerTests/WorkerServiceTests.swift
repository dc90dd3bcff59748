import DatabaseTestSupport
import Diagnostics
import FileSystem
import Glibc
import JSON
import JobModel
import JobStore
import PostgresClient
import Raster
import Recipe
import Rendering
import SampleScene
import Synchronization
import TestSupport
import Testing
import Worker

/// The whole service against a real server, with real children and with children that misbehave.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment), .serialized)
struct WorkerServiceTests {
  private let folder: TemporaryDirectory
  private let database: TestDatabase
  private let store: JobStore
  private let events = EventLog()

  init() throws {
    folder = try TemporaryDirectory()
    database = try TestDatabase()
    store = try database.store()
  }

  private static let recipe = Recipe(outputs: [
    OutputSpecification(id: "heic", format: .heic(.init()))
  ])

  /// A child that answers the hello and then does `then`.
  private func child(_ then: String) -> ChildLaunch {
    let script = #"""
      open(my $s, "+<&=3");
      sub get { my $h; sysread($s, $h, 8) == 8 or exit 0; my $n = unpack("N", $h);
        my $b = ""; while (length $b < $n) { sysread($s, $b, $n - length $b, length $b) } $b }
      get(); my $m = '{"type":"hello","version":\#(ChildRequest.version)}'; syswrite($s, pack("NN", length $m, 0) . $m);
      get();
      """#
    return ChildLaunch(program: "/usr/bin/perl", arguments: ["-e", script + then])
  }

  private func configuration(
    _ launch: ChildLaunch,
    batch: BatchID? = nil
  ) -> WorkerConfiguration {
    var configuration = WorkerConfiguration(
      database: database.address,
      slots: 1,
      threads: 1,
      version: "test"
    )
    configuration.schema = database.schema
    configuration.roots = RootMap(["in": folder.path("in"), "out": folder.path("out")])
    configuration.launch = launch
    configuration.pollInterval = .milliseconds(20)
    configuration.beatInterval = .milliseconds(50)
    configuration.batch = batch
    return configuration
  }

  /// A sealed batch with one job; the input is written unless it is there.
  private func submit(
    root: String = "in",
    bytes: [UInt8] = [1, 2, 3],
    size: Int64? = nil,
    policy: RetryPolicy = RetryPolicy(
      maximumAttempts: 2,
      maximumCrashes: 2,
      maximumHostFaults: 1,
      baseDelayMilliseconds: 1,
      maximumDelayMilliseconds: 1
    )
  ) throws -> BatchID {
    let path = try folder.write(bytes, to: "in/a.dng")
    try folder.path("out").createDirectories()
    let status = try path.status()
    let recipe = WorkerServiceTests.recipe
    try store.register([
      RecipeRecord(digest: recipe.digest, canonicalJSON: recipe.canonicalJSON.text(.canonical))
    ])
    let input = InputFile(
      location: FileLocation(root: root, path: "a.dng"),
      size: size ?? status.size,
      modificationNanoseconds: status.mtimeNanoseconds
    )
    let outputs = [
      PlannedOutput(id: "heic", location: FileLocation(root: "out", path: "sub/a.heic"))
    ]
    let batch = try store.createBatch(BatchSpecification(name: "test", retryPolicy: policy))
    let job = JobSpecification(
      key: DedupeKey(
        input: input,
        resolvedRecipe: recipe.digest,
        pixelVersion: PixelVersion.current,
        outputs: outputs
      ),
      input: input,
      recipe: recipe.digest,
      outputs: outputs
    )
    let result = try store.enqueue([job], into: batch)
    #expect(result.inserted == 1)
    try store.seal(batch)
    return batch
  }

  private func number(_ sql: String) throws -> Int64 {
    try database.connection().queryOnce(sql, named: "test")[0].int64(0)
  }

  /// Files in the folder of the output.
  private func outputNames() throws -> [FilePath] {
    let path = folder.path("out/sub")
    return try path.statusIfExists() == nil ? [] : path.directoryEntries().map(\.name)
  }

  /// Runs a worker until its batch is finished.
  private func work(_ configuration: WorkerConfiguration) throws {
    let events = events
    let service = WorkerService(configuration) { events.add($0) }
    #expect(try service.run() == .stopped)
  }

  @Test func rendersPublishesAndCommits() throws {
    let bytes = try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 256, height: 192),
      scheduler: TileScheduler(laneCount: 1)
    )
    let batch = try submit(bytes: bytes)
    try work(configuration(ChildLaunch(program: BuiltProduct.rawmill), batch: batch))
    #expect(try outputNames() == ["a.heic"])
    #expect(try number("SELECT count(*) FROM job WHERE outcome = 1") == 1)
    let row = try database.connection().queryOnce(
      """
      SELECT pixels, peak_memory_bytes, jsonb_array_length(stages),
        (SELECT size FROM output WHERE published_at IS NOT NULL) FROM provenance
      """,
      named: "test"
    )[0]
    #expect(try row.int64(0) > 0)
    #expect(try row.int64(1) > 1 << 20)
    #expect(try row.int(2) >= 5)
    #expect(try row.int64(3) == folder.path("out/sub/a.heic").status().size)
    #expect(events.names == ["registered", "started", "completed", "draining", "ended"])
  }

  @Test func crashesAreCountedApartAndEndTheJob() throws {
    let batch = try submit()
    try work(configuration(child("kill 11, $$; sleep 9"), batch: batch))
    #expect(try number("SELECT crashes::bigint FROM job WHERE outcome = 2") == 2)
    #expect(try number("SELECT failures::bigint FROM job") == 0)
    #expect(events.failureCodes == ["childCrashed", "childCrashed"])
    #expect(try outputNames() == [])
  }

  /// One slot's share, then the worker's whole memory, then the end by name.
  @Test func aJobThatRunsOutOfMemoryIsGivenMoreAndThenFails() throws {
    let batch = try submit(
      policy: RetryPolicy(
        maximumAttempts: 9,
        baseDelayMilliseconds: 1,
        maximumDelayMilliseconds: 1
      )
    )
    var configuration = configuration(
      child(#"print STDERR "failed to allocate 9 bytes\n"; kill 6, $$; sleep 9"#),
      batch: batch
    )
    configuration.slots = 2
    configuration.memory = 2 << 30
    try work(configuration)
    #expect(events.failureCodes == ["outOfMemory", "outOfMemory"])
    #expect(
      try number(
        """
        SELECT count(*) FROM job WHERE outcome = 2 AND memory_floor = 2147483648 AND failures = 2
          AND crashes = 0
        """
      ) == 1
    )
  }

  @Test func theWallLimitEndsAnEndlessRender() throws {
    let batch = try submit()
    var configuration = configuration(child("sleep 600"), batch: batch)
    configuration.wallLimit = .milliseconds(300)
    try work(configuration)
    #expect(events.failureCodes == ["wallLimitExceeded", "wallLimitExceeded"])
    #expect(try outputNames() == [])
  }

  @Test func aFailureThatTheChildReportsIsRecorded() throws {
    let batch = try submit(bytes: Array("no raw at all".utf8))
    try work(configuration(ChildLaunch(program: BuiltProduct.rawmill), batch: batch))
    #expect(try number("SELECT failures::bigint FROM job WHERE outcome = 2") == 1)
    #expect(events.failureCodes.count == 1)
    #expect(try outputNames() == [])
  }

  @Test func aRootThatIsNotMountedBlamesTheHost() throws {
    let batch = try submit(root: "elsewhere")
    var configuration = configuration(child("exit 1"), batch: batch)
    configuration.roots = RootMap([
      "elsewhere": folder.path("nowhere"), "out": folder.path("out"),
    ])
    try work(configuration)
    #expect(events.failureCodes == ["rootNotMounted"])
    #expect(try number("SELECT host_faults::bigint FROM job WHERE outcome = 2") == 1)
  }

  @Test func jobsOfAnUnknownRootAreLeftToOthers() throws {
    _ = try submit(root: "elsewhere")
    let events = events
    let service = WorkerService(configuration(child("exit 1"))) { events.add($0) }
    let work = BackgroundWork { (try? service.run()) == .stopped }
    let isSaid = Polling.wait(upTo: .seconds(60)) { events.names.contains("rootsMissing") }
    #expect(isSaid)
    service.stop()
    #expect(work.value() == true)
    #expect(try number("SELECT count(*) FROM job WHERE ready AND attempt = 0") == 1)
    #expect(!events.names.contains("started"))
  }

  @Test func anInputThatChangedFailsAtOnce() throws {
    let batch = try submit(size: 99)
    try work(configuration(child("exit 1"), batch: batch))
    #expect(events.failureCodes == ["inputChanged"])
    #expect(try number("SELECT attempt::bigint FROM job WHERE outcome = 2") == 1)
  }

  /// Starts a worker whose child hangs, and waits until it works.
  private func startHanging(_ batch: BatchID?) throws -> (WorkerService, BackgroundWork<Bool>) {
    let events = events
    let service = WorkerService(configuration(child("sleep 600"), batch: batch)) {
      events.add($0)
    }
    let work = BackgroundWork { (try? service.run()) == .stopped }
    let isWorking = try Polling.wait(upTo: .seconds(60)) {
      try number("SELECT count(*) FROM lease") == 1 && events.names.contains("started")
    }
    #expect(isWorking)
    return (service, work)
  }

  @Test func anUrgentStopGivesTheJobBack() throws {
    _ = try submit()
    let (service, work) = try startHanging(nil)
    service.stop()
    service.stop()
    #expect(work.value() == true)
    #expect(try number("SELECT count(*) FROM lease") == 0)
    #expect(try number("SELECT count(*) FROM job WHERE ready AND crashes + failures = 0") == 1)
    #expect(events.names.contains("released"))
    #expect(try outputNames() == [])
  }

  @Test func aCancelledBatchStopsItsJob() throws {
    let batch = try submit()
    let (_, work) = try startHanging(batch)
    try store.cancel(batch)
    #expect(work.value() == true)
    #expect(try number("SELECT count(*) FROM job WHERE outcome = 3") == 1)
    #expect(events.names.contains("cancelled"))
    #expect(try outputNames() == [])
  }

  @Test func aWorkerThatWasGivenUpStopsAndBeginsANewLife() throws {
    _ = try submit(
      policy: RetryPolicy(
        maximumAttempts: 2,
        maximumCrashes: 2,
        baseDelayMilliseconds: 600_000,
        maximumDelayMilliseconds: 600_000
      )
    )
    let (service, work) = try startHanging(nil)
    let buried = try store.bury(try store.beats())
    // Its beat may have gone on in between: then it is buried for good here.
    if buried.isEmpty {
      try database.connection().execute("UPDATE worker SET state = 2", named: "test")
    }
    let isBack = Polling.wait(upTo: .seconds(60)) {
      events.names.count { $0 == "registered" } == 2
    }
    #expect(isBack)
    #expect(events.names.contains("leasesLost"))
    let isRescued = try Polling.wait(upTo: .seconds(60)) {
      try number("SELECT count(*) FROM job WHERE crashes = 1 AND run_at IS NOT NULL") == 1
    }
    #expect(isRescued)
    service.stop()
    #expect(work.value() == true)
    #expect(try outputNames() == [])
  }

  /// A worker of another host that the test plays itself.
  fileprivate static let elsewhere = WorkerSpecification(
    host: "elsewhere",
    bootID: "b",
    processID: 1,
    processStartTicks: 1,
    version: "test",
    slots: 1,
    threads: 1,
    roots: ["in", "out"]
  )

  @Test func whatADeadWorkerLeftIsSwept() throws {
    let batch = try submit(
      policy: RetryPolicy(maximumAttempts: 2, maximumCrashes: 1, maximumDelayMilliseconds: 1)
    )
    let dead = try store.register(Self.elsewhere)
    let job = try #require(try store.claim(dead, count: 1).first)
    let temporary = try folder.write([1], to: "out/sub/.a.heic.\(job.id).1.tmp")
    try folder.write([1], to: "out/sub/other.heic")
    try store.retire(dead)
    try work(configuration(child("exit 1"), batch: batch))
    #expect(try number("SELECT crashes::bigint FROM job WHERE outcome = 2") == 1)
    #expect(try temporary.statusIfExists() == nil)
    #expect(try outputNames() == ["other.heic"])
  }
}

/// The worker while its database is out of reach: the way to the server's socket is taken away and its
/// sessions are ended, as a failover or a cut cable does.
extension WorkerServiceTests {
  /// A way to the test's server that can be cut.
  private struct Way {
    let link: FilePath
    let socket: FilePath
    let address: DatabaseAddress

    func cut(_ test: WorkerServiceTests) throws {
      try link.removeFile()
      try test.database.connection().execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name IN ('rawmill worker', 'rawmill heartbeat') AND pid <> pg_backend_pid()
        """,
        named: "cut"
      )
    }

    func restore() throws {
      #expect(unsafe symlink(socket.displayText, link.displayText) == 0)
    }
  }

  private func way() throws -> Way {
    let info = try #require(database.address.connectionInfo)
    let start = try #require(info.firstRange(of: "host='")).upperBound
    let socketFolder = String(info[start...].prefix { $0 != "'" })
    let port = try number("SELECT current_setting('port')::bigint")
    let name = ".s.PGSQL.\(port)"
    let folder = folder.path("way")
    try folder.createDirectories()
    let own = info.replacing("'\(socketFolder)'", with: "'\(folder.displayText)'")
    let way = Way(
      link: folder.appending(FilePath(name)),
      socket: FilePath(socketFolder).appending(FilePath(name)),
      address: try DatabaseAddress(own)
    )
    try way.restore()
    return way
  }

  /// Starts a worker on a real picture and cuts it off while its child renders; waits until the lease is
  /// in doubt and the picture is written.
  private func startAndCut(
    _ way: Way,
    _ batch: BatchID
  ) throws -> (WorkerService, BackgroundWork<Bool>) {
    var configuration = configuration(ChildLaunch(program: BuiltProduct.rawmill), batch: batch)
    configuration.database = way.address
    configuration.leaseLength = .seconds(1)
    let events = events
    let service = WorkerService(configuration) { events.add($0) }
    let work = BackgroundWork { (try? service.run()) == .stopped }
    let isWorking = Polling.wait(upTo: .seconds(60)) { events.names.contains("started") }
    #expect(isWorking)
    try way.cut(self)
    let isWaiting = try Polling.wait(upTo: .seconds(60)) {
      try events.names.contains("leasesInDoubt")
        && outputNames().contains { $0.displayText.hasSuffix(".tmp") }
    }
    #expect(isWaiting, "\(events.names)")
    #expect(!events.names.contains("completed"))
    return (service, work)
  }

  private func pictureBytes() throws -> [UInt8] {
    try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 1_024, height: 768),
      scheduler: TileScheduler(laneCount: 1)
    )
  }

  @Test func whatWasRenderedWhileTheServerWasAwayIsPublishedIfTheLeaseStands() throws {
    let batch = try submit(bytes: pictureBytes())
    let way = try way()
    let (_, work) = try startAndCut(way, batch)
    try way.restore()
    #expect(work.value() == true)
    #expect(try outputNames() == ["a.heic"])
    #expect(
      try number(
        """
        SELECT count(*) FROM job WHERE outcome = 1 AND attempt = 1 AND failures + crashes + host_faults = 0
        """
      ) == 1
    )
    #expect(events.names.contains("leasesStand"))
    #expect(!events.names.contains("leasesLost"))
    #expect(events.names.count { $0 == "registered" } == 1)
  }

  @Test func whatWasRenderedIsThrownAwayIfSomebodyElseDecided() throws {
    let batch = try submit(bytes: pictureBytes())
    let way = try way()
    let (service, work) = try startAndCut(way, batch)
    // Others have given the worker up and done the job meanwhile.
    try database.connection().execute("UPDATE worker SET state = 2", named: "bury")
    _ = try store.rescue()
    try store.promoteAll(database)
    let other = try store.register(Self.elsewhere)
    let job = try #require(try store.claim(other, count: 1).first)
    #expect(job.attempt == 2)
    try way.restore()
    let isOver = Polling.wait(upTo: .seconds(60)) { events.names.contains("leasesLost") }
    #expect(isOver)
    let isSwept = try Polling.wait(upTo: .seconds(60)) { try outputNames().isEmpty }
    #expect(isSwept)
    #expect(try number("SELECT count(*) FROM output") == 0)
    #expect(try store.release([job.lease]) == [job.id])
    try store.retire(other)
    // The new life of the same worker does it.
    #expect(work.value() == true)
    #expect(try outputNames() == ["a.heic"])
    #expect(try number("SELECT count(*) FROM provenance WHERE attempt = 3") == 1)
    _ = service
  }
}

extension JobStore {
  /// Makes every delayed job ready.
  fileprivate func promoteAll(_ database: TestDatabase) throws {
    try database.connection().execute(
      "UPDATE job SET run_at = now() - interval '1 s' WHERE run_at IS NOT NULL",
      named: "pass"
    )
    try promote()
  }
}

/// What a worker told, in order.
private final class EventLog: Sendable {
  private let events = Mutex<[WorkerEvent]>([])

  func add(_ event: WorkerEvent) {
    events.withLock { $0.append(event) }
  }

  /// The events without stages and progress.
  var names: [String] {
    events.withLock { $0 }.compactMap { event in
      switch event {
      case .registered: "registered"
      case .started: "started"
      case .claimed, .stage, .progress: nil
      case .completed: "completed"
      case .failed: "failed"
      case .released: "released"
      case .cancelled: "cancelled"
      case .buried: "buried"
      case .leasesLost: "leasesLost"
      case .leasesInDoubt: "leasesInDoubt"
      case .leasesStand: "leasesStand"
      case .rootsMissing: "rootsMissing"
      case .setAside: "setAside"
      case .databaseFailed: "databaseFailed"
      case .outdated: "outdated"
      case .draining: "draining"
      case .ended: "ended"
      }
    }
  }

  var failureCodes: [ErrorCode] {
    events.withLock { $0 }.compactMap { event in
      if case .failed(_, let failure, _) = event { failure.code } else { nil }
    }
  }
}
