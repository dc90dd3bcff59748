internal import Dispatch
internal import FileSystem
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime

/// The heartbeat: a thread and a connection of its own, so that no claim, no disk and no picture can
/// delay it.
///
/// It also is the watchdog: while it can't say in time that the worker lives, nothing is published,
/// whatever the other threads do. What is rendered by then is kept: when the server answers again, the
/// worker still lives for it, or is dead and throws everything away.
// @unchecked: `store` is touched on `queue` only; the rest is Sendable.
final class Heart: @unchecked Sendable {
  /// What a beat brought.
  enum Report: Sendable {
    case beat(Heartbeat)
    case failed(String)
    /// The leases are not the worker's any more: it was given up for dead.
    case leasesEnded
    /// The leases can't be counted on until the server answers.
    case leasesInDoubt
    /// The server answered: those leases stand that the beat after it does not call lost.
    case leasesStand
  }

  private struct State {
    var worker: WorkerID?
    var leases: Set<Lease> = []
    var clock: LeaseClock
    /// Leases that are somebody else's, by the last beat.
    var lost: Set<JobID> = []
    var isInDoubt = false
    var isStopped = false
  }

  private let database: DatabaseAddress
  private let schema: String
  private let interval: Duration
  private let state: Locked<State>
  private let queue = DispatchQueue(label: "rawmill.heartbeat")
  private let wake = MonotonicSemaphore()
  private let report: @Sendable (Report) -> Void
  private var store: JobStore?
  private var delay = ReconnectDelay()

  init(
    database: DatabaseAddress,
    schema: String,
    interval: Duration,
    clock: LeaseClock,
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.database = database
    self.schema = schema
    self.interval = interval
    self.report = report
    state = Locked(State(clock: clock))
  }

  /// Starts beating; once.
  func start() {
    queue.async { self.run() }
  }

  /// Ends the beating and waits for that.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
    queue.sync {}
  }

  /// Beats for a new life, which was registered at `time`; nil: for none.
  func set(worker: WorkerID?, registeredAt time: Duration) {
    state.withLock { state in
      state.worker = worker
      state.leases = []
      state.lost = []
      state.isInDoubt = false
      state.clock.restart(at: time)
    }
  }

  /// The leases that the next beat names.
  func set(leases: Set<Lease>) {
    state.withLock { $0.leases = leases }
  }

  /// Whether leases may be counted on now; of a single one `standing` says more.
  var isLeaseValid: Bool {
    let now = SystemInformation.monotonicTime
    return state.withLock { $0.worker != nil && $0.clock.isValid(at: now) }
  }

  /// Whether a lease may be counted on now.
  func standing(of lease: Lease) -> LeaseStanding {
    let now = SystemInformation.monotonicTime
    return state.withLock { state in
      if state.worker == nil || state.lost.contains(lease.job) { return .lost }
      return state.clock.isValid(at: now) ? .valid : .inDoubt
    }
  }

  /// When the last answered beat was sent, by the monotonic clock; nil without a life.
  var lastBeat: Duration? {
    state.withLock { $0.worker == nil ? nil : $0.clock.lastBeat }
  }

  private func run() {
    while true {
      let (worker, leases, isStopped) = state.withLock {
        ($0.worker, Array($0.leases), $0.isStopped)
      }
      if isStopped { return }
      var pause = interval
      if let worker {
        pause = beat(worker, leases)
      }
      _ = wake.wait(timeout: pause)
    }
  }

  /// One beat; how long to wait for the next.
  private func beat(_ worker: WorkerID, _ leases: [Lease]) -> Duration {
    let sent = SystemInformation.monotonicTime
    do throws(JobStoreError) {
      let store = try connectedStore()
      let heartbeat = try store.beat(worker, holding: leases)
      delay.succeed()
      let (isCurrent, wasInDoubt) = state.withLock { state in
        // The worker may have begun another life while the statement ran.
        guard state.worker == worker else { return (false, false) }
        guard heartbeat.state != .dead else { return (true, false) }
        // Together: no slot may find the clock running and not yet what is lost.
        state.lost.formUnion(heartbeat.lost)
        state.lost.formIntersection(state.leases.map(\.job) + heartbeat.lost)
        state.clock.beat(sentAt: sent)
        defer { state.isInDoubt = false }
        return (true, state.isInDoubt)
      }
      guard isCurrent else { return .zero }
      if heartbeat.state == .dead {
        endLeases(worker)
      } else {
        if wasInDoubt { report(.leasesStand) }
        report(.beat(heartbeat))
      }
      return interval
    } catch {
      store = nil
      report(.failed(error.message))
      let now = SystemInformation.monotonicTime
      var system = SystemRandomNumberGenerator()
      delay.fail(at: now, random: system.next())
      let isNewDoubt = state.withLock { state in
        guard state.worker == worker, !state.isInDoubt, !state.clock.isValid(at: now) else {
          return false
        }
        state.isInDoubt = true
        return true
      }
      if isNewDoubt { report(.leasesInDoubt) }
      return min(interval, delay.nextTry.map { $0 - now } ?? interval)
    }
  }

  private func endLeases(_ worker: WorkerID) {
    let isCurrent = state.withLock { state in
      guard state.worker == worker else { return false }
      state.worker = nil
      return true
    }
    if isCurrent { report(.leasesEnded) }
  }

  private func connectedStore() throws(JobStoreError) -> JobStore {
    if let store { return store }
    let fresh = try JobStore.open(
      database,
      role: .heartbeat,
      applicationName: "rawmill heartbeat",
      schema: schema,
      accepting: .currentOrNewer
    )
    store = fresh
    return fresh
  }
}
