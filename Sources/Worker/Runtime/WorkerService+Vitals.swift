internal import FileSystem
internal import JobModel

extension WorkerService {
  /// What the thread of `run` lets others see.
  struct Visible: Sendable {
    /// When each lease that is held was got, by the monotonic clock.
    var leases: [JobID: Duration] = [:]
    var unsettled = 0
    var openings = 0
    var worker: WorkerID?
  }

  /// How the worker is now; from any thread.
  package var vitals: WorkerVitals {
    let now = SystemInformation.monotonicTime
    let visible = visible.withLock { $0 }
    let lastBeat = heart.lastBeat
    return WorkerVitals(
      worker: lastBeat == nil ? nil : visible.worker,
      beatAge: lastBeat.map { now - $0 },
      isLeaseValid: heart.isLeaseValid,
      held: visible.leases.count,
      unsettled: visible.unsettled,
      oldestLeaseAge: visible.leases.values.min().map { now - $0 },
      reconnections: max(0, visible.openings - 1),
      childStarts: slots.reduce(0) { $0 + $1.childStarts }
    )
  }

  /// Updates what others see; called by the thread of `run` after each change.
  func show(_ held: [ClaimedJob]) {
    let now = SystemInformation.monotonicTime
    visible.withLock { visible in
      let known = visible.leases
      visible.leases = [:]
      for job in held { visible.leases[job.id] = known[job.id] ?? now }
      visible.unsettled = settlements.count
      visible.worker = worker
    }
  }
}
