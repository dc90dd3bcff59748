internal import Diagnostics
internal import Dispatch
internal import FileSystem
internal import JobModel
package import JobStore
internal import PostgresClient

/// A worker process: claims jobs, has children render them, publishes and commits.
///
/// One thread runs `run` and owns the queue's connection and the machine; each slot and the heartbeat
/// have a thread of their own and leave messages. `stop` may come from any thread.
// @unchecked: everything mutable is touched by the thread in `run` only, but `mailbox`, `heart`,
// `rights`, `visible` and `slots`, which are Sendable.
package final class WorkerService: @unchecked Sendable {
  /// How a worker's life ended.
  package enum End: Equatable, Sendable {
    /// It was stopped, or its batch is finished, and everything is settled.
    case stopped
    /// This process can't work here: another program version, a broken installation.
    case unfit
    /// The schema is newer than this program: what ran is finished or given back.
    case outdated(JobStoreError)
  }

  enum Message: Sendable {
    case finished(slot: Int, JobEnd)
    case intents(Lease, [OutputRecord], ReplacementRecord?, Reply<IntentAnswer>)
    case heart(Heart.Report)
    case stop
    case observed(WorkerEvent)
  }

  let configuration: WorkerConfiguration
  let report: (WorkerEvent) -> Void
  let mailbox = Mailbox<Message>()
  let host = HostIdentity.current
  let heart: Heart
  let slots: [RenderSlot]
  /// By slot; each is used by its slot's thread.
  let holders: [LeaseHolder]
  /// By slot, whether its job may be published; read by the slots' threads.
  let rights: Locked<[Bool]>
  /// Read by anybody.
  let visible = Locked(Visible())
  var machine: WorkerMachine
  var watch: WorkerWatch
  var store: JobStore?
  /// When a database that failed is asked again, and how it failed.
  var delay = ReconnectDelay()
  var lastFailure: JobStoreError?
  var worker: WorkerID?
  /// What could not be written yet.
  var settlements: [Settlement] = []
  /// What was last said about the database, and when.
  var lastDatabaseFailure: (message: String, time: Duration)?
  /// What was last said about roots that batches need.
  var missingRoots: [String] = []
  /// Why it can't go on with the schema as it is now.
  var newerSchema: JobStoreError?
  var hasRegistered = false
  /// What its login may not do; set before its first life only.
  var refusal: JobStoreError?
  /// What was last said about this host's being set aside.
  var aside: [SetAside] = []
  var stopCount = 0
  var graceEnd: Duration?
  var nextPoll: Duration = .zero
  var nextMaintenance: Duration = .zero
  /// When the months' partitions are looked after again.
  var nextPartitions: Duration = .zero
  var end: End?

  /// A worker that tells `report` what happens, on the thread of `run`.
  package init(
    _ configuration: WorkerConfiguration,
    report: @escaping (WorkerEvent) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.report = report
    machine = WorkerMachine(slotCount: configuration.slots, prefetch: configuration.prefetch)
    // Two rounds of maintenance at least: under a short lease no time would count otherwise.
    watch = WorkerWatch(
      timeToLive: configuration.leaseLength,
      longestGap: max(configuration.leaseLength / 3, .milliseconds(2_500))
    )
    rights = Locked(Array(repeating: false, count: configuration.slots))
    let settings = RenderSlot.Settings(
      threads: configuration.threads,
      roots: configuration.roots,
      launch: configuration.launch,
      wallLimit: configuration.wallLimit,
      jobsPerChild: configuration.jobsPerChild,
      host: host.host
    )
    slots = (0..<configuration.slots).map { _ in RenderSlot(settings) }
    holders = (0..<configuration.slots).map { _ in
      LeaseHolder(database: configuration.database, schema: configuration.schema)
    }
    heart = Heart(
      database: configuration.database,
      schema: configuration.schema,
      interval: configuration.beatInterval,
      clock: LeaseClock(
        leaseLength: configuration.leaseLength,
        margin: configuration.leaseLength / 5
      )
    ) { [mailbox] in mailbox.send(.heart($0)) }
  }

  /// Asks the worker to stop, from any thread: finish what runs; asked again, give it back at once.
  package func stop() {
    mailbox.send(.stop)
  }

  /// Works until it is stopped or its work is done.
  ///
  /// - Throws: What keeps it from its first connection, and a login that may not work here; later failures
  ///   of the database are waited out.
  package func run() throws(JobStoreError) -> End {
    let first = try openStore()
    if let newer = try newerSchema(first) { throw newer }
    store = first
    heart.start()
    defer {
      heart.stop()
      for slot in slots { slot.end() }
    }
    perform(machine.start())
    while end == nil {
      let now = SystemInformation.monotonicTime
      if let message = mailbox.receive(timeout: timeout(at: now)) {
        take(message)
      }
      runTimers(at: SystemInformation.monotonicTime)
    }
    report(.ended)
    if let refusal { throw refusal }
    return end ?? .stopped
  }

  func openStore() throws(JobStoreError) -> JobStore {
    let store = try JobStore.open(
      configuration.database,
      role: .queue,
      applicationName: "rawmill worker",
      schema: configuration.schema,
      accepting: .currentOrNewer
    )
    visible.withLock { $0.openings += 1 }
    return store
  }

  func connectedStore() throws(JobStoreError) -> JobStore {
    if let store { return store }
    return try openStore()
  }

  /// Takes an event of the machine and does what it says.
  func handle(_ event: WorkerMachine.Event) {
    perform(machine.handle(event))
  }

  private func take(_ message: Message) {
    switch message {
    case .finished(let slot, let end):
      setRight(slot, false)
      handle(.finished(slot: slot, end))
    case .intents(let lease, let records, let replacement, let reply):
      reply.send(recordIntents(lease, records, replacement))
    case .heart(.beat(let heartbeat)):
      handle(.heartbeat(cancelled: Set(heartbeat.cancelled), lost: Set(heartbeat.lost)))
      // Somebody drains it from outside: that is a stop like SIGTERM's.
      if heartbeat.state == .draining, machine.phase == .active { handle(.stop(isUrgent: false)) }
    case .heart(.failed(let message)): reportDatabaseFailure(message)
    case .heart(.leasesInDoubt): report(.leasesInDoubt)
    case .heart(.leasesStand):
      report(.leasesStand)
      nextPoll = .zero
    case .heart(.leasesEnded):
      report(.leasesLost)
      settlements = []
      worker = nil
      handle(.leasesEnded)
    case .stop:
      stopCount += 1
      handle(.stop(isUrgent: stopCount > 1))
    case .observed(let event): report(event)
    }
  }

  private func timeout(at now: Duration) -> Duration {
    var next = min(nextPoll, nextMaintenance)
    if let graceEnd { next = min(next, graceEnd) }
    return max(.zero, min(next - now, .seconds(1)))
  }

  private func runTimers(at now: Duration) {
    if let graceEnd, now >= graceEnd {
      self.graceEnd = nil
      handle(.graceEnded)
    }
    if now >= nextMaintenance {
      nextMaintenance = now + .seconds(1)
      checkSchema()
      maintain(at: now)
    }
    if now >= nextPoll {
      nextPoll = now + configuration.pollInterval
      if worker == nil, machine.phase == .registering {
        register()
      } else {
        settle(claiming: nil)
        handle(.poll)
      }
    }
  }

  func setRight(_ slot: Int, _ isGiven: Bool) {
    rights.withLock { $0[slot] = isGiven }
  }
}
