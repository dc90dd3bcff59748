package import JobModel

/// The decisions of a worker, as a value: events go in, actions come out.
///
/// It owns no connection, no process and no clock. The service around it carries the actions out and
/// tells it what came of them.
package struct WorkerMachine: Sendable {
  /// Where the worker's life stands.
  package enum Phase: Equatable, Sendable {
    /// It asks the queue for an identity.
    case registering
    case active
    /// It claims no more and finishes, or gives back, what it has.
    case draining
    /// Its leases are lost: it stops everything, and registers anew when all is quiet.
    case recovering
    case ended
  }

  /// What the service tells.
  package enum Event: Sendable {
    /// The queue knows the worker.
    case registered
    /// A claim was answered, perhaps with nothing.
    case claimed([ClaimedJob])
    /// A slot is free again.
    case finished(slot: Int, JobEnd)
    /// It is time to ask for work again.
    case poll
    /// A job waits that needs the memory of so many slots: let them become free, and ask for it.
    case heavyWaits(slots: Int)
    /// These leases are of cancelled batches, or of somebody else by now.
    case heartbeat(cancelled: Set<JobID>, lost: Set<JobID>)
    /// The worker was given up for dead, or could not say in time that it lives.
    case leasesEnded
    /// A stop was asked for; urgently: running jobs are given back at once.
    case stop(isUrgent: Bool)
    /// The time for running jobs to finish after a stop is over.
    case graceEnded
    /// There is nothing left that the worker was started for.
    case workIsDone
  }

  /// What the service does.
  package enum Action: Sendable {
    case register
    /// Ask for so many jobs.
    case claim(Int)
    /// Ask for one job that needs the memory of more than one slot, and of at most so many.
    case claimHeavy(slots: Int)
    /// Give a job to a slot, with the memory of so many.
    case start(slot: Int, ClaimedJob, memorySlots: Int)
    /// Kill the slot's child; the slot finishes as interrupted unless it was faster.
    case interrupt(slot: Int)
    case settle(Settlement)
    /// Tell the queue that the worker drains, and start the grace period.
    case drain
    /// End the worker's life.
    case end
  }

  private struct Running: Sendable {
    var job: ClaimedJob
    /// Slots whose memory it has, its own included.
    var memorySlots = 1
    var isCancelled = false
    var isLost = false
  }

  package private(set) var phase = Phase.registering
  /// Whether the worker ends because it can't go on.
  package private(set) var isUnfit = false
  private var slots: [Running?]
  private var waiting: [ClaimedJob] = []
  private let prefetch: Int
  private var isClaiming = false
  /// Slots that are kept free for a job that needs their memory, and those that such a job was asked for
  /// with.
  private var gathering: Int?
  private var heavySlots: Int?

  /// A worker of `slotCount` slots that holds up to `prefetch` jobs more than it runs.
  package init(slotCount: Int, prefetch: Int = 0) {
    precondition(slotCount > 0, "a worker needs a slot")
    slots = Array(repeating: nil, count: slotCount)
    self.prefetch = prefetch
  }

  /// The jobs whose leases the worker holds: running ones and prefetched ones.
  package var heldJobs: [ClaimedJob] { slots.compactMap { $0?.job } + waiting }

  /// Slots that have no job and whose memory nobody has.
  private var freeSlots: Int {
    slots.count - slots.reduce(0) { $0 + ($1?.memorySlots ?? 0) }
  }

  /// Whether no slot works.
  package var isIdle: Bool { slots.allSatisfy { $0 == nil } }

  /// Whether a job that a slot works on may still be published under its lease.
  package func holdsLease(slot: Int) -> Bool {
    guard let running = slots[slot] else { return false }
    return phase != .recovering && !running.isLost && !running.isCancelled
  }

  /// The first action of a worker's life.
  package func start() -> [Action] { [.register] }

  /// Takes an event.
  package mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .registered:
      guard phase == .registering else { return [] }
      phase = .active
      return fill()
    case .claimed(let jobs):
      isClaiming = false
      return take(jobs)
    case .finished(let slot, let end): return finish(slot, end)
    case .poll: return fill()
    case .heavyWaits(let count):
      guard phase == .active, gathering == nil, heavySlots == nil else { return [] }
      gathering = max(2, min(count, slots.count))
      return fill()
    case .heartbeat(let cancelled, let lost): return mark(cancelled: cancelled, lost: lost)
    case .leasesEnded: return recover()
    case .stop(let isUrgent): return stop(isUrgent: isUrgent)
    case .graceEnded: return phase == .draining ? interruptAll() : []
    case .workIsDone: return phase == .active && isIdle ? drain() : []
    }
  }

  private mutating func take(_ jobs: [ClaimedJob]) -> [Action] {
    switch phase {
    case .active:
      if let memorySlots = heavySlots {
        heavySlots = nil
        return startHeavy(jobs, memorySlots)
      }
      waiting += jobs
      return fill(claims: !jobs.isEmpty)
    case .draining:
      heavySlots = nil
      // Asked for before the stop.
      return jobs.map { .settle(.release($0)) } + endIfQuiet()
    case .registering, .recovering, .ended:
      heavySlots = nil
      // Claimed by a life that is over: the rescue of its leases has them.
      return endIfQuiet()
    }
  }

  /// Starts waiting jobs in free slots, and asks for as many as have room.
  private mutating func fill(claims: Bool = true) -> [Action] {
    guard phase == .active else { return [] }
    var actions: [Action] = []
    var free = freeSlots
    for slot in slots.indices where slots[slot] == nil && !waiting.isEmpty && free > 0 {
      let job = waiting.removeFirst()
      slots[slot] = Running(job: job)
      free -= 1
      actions.append(.start(slot: slot, job, memorySlots: 1))
    }
    if let wanted = gathering {
      // Nothing else is begun until the slots are free.
      guard claims, !isClaiming, waiting.isEmpty, free >= wanted else { return actions }
      gathering = nil
      heavySlots = wanted
      isClaiming = true
      return actions + [.claimHeavy(slots: wanted)]
    }
    let room = free + prefetch - waiting.count
    // While every slot works, a prefetch waits for the next slot's end to ask with it.
    if claims, !isClaiming, free > 0, room > 0 {
      isClaiming = true
      actions.append(.claim(room))
    }
    return actions
  }

  /// Starts the job that so many slots were kept free for; without one, work goes on as before.
  private mutating func startHeavy(_ jobs: [ClaimedJob], _ memorySlots: Int) -> [Action] {
    guard let job = jobs.first, let slot = slots.firstIndex(where: { $0 == nil }) else {
      return fill()
    }
    slots[slot] = Running(job: job, memorySlots: memorySlots)
    return [.start(slot: slot, job, memorySlots: memorySlots)] + fill()
  }

  private mutating func finish(_ slot: Int, _ end: JobEnd) -> [Action] {
    guard let running = slots[slot] else { return [] }
    slots[slot] = nil
    var actions: [Action] = []
    // Somebody else decides a job whose lease is lost: nothing is written about it.
    if !running.isLost, phase != .recovering {
      let job = running.job
      switch end {
      case .completed(let report): actions.append(.settle(.complete(job, report)))
      case .failed(let failure): actions.append(.settle(.fail(job, failure)))
      case .interrupted:
        actions.append(.settle(running.isCancelled ? .stop(job) : .release(job)))
      case .workerUnfit:
        actions.append(.settle(.release(job)))
        isUnfit = true
        if phase == .active { actions += drain() }
      }
    }
    return actions + fill() + endIfQuiet()
  }

  private mutating func mark(cancelled: Set<JobID>, lost: Set<JobID>) -> [Action] {
    var actions: [Action] = []
    for slot in slots.indices {
      guard var running = slots[slot] else { continue }
      let isLost = lost.contains(running.job.id)
      let isCancelled = cancelled.contains(running.job.id)
      guard isLost || isCancelled, !running.isLost, !running.isCancelled else { continue }
      running.isLost = isLost
      running.isCancelled = isCancelled
      slots[slot] = running
      actions.append(.interrupt(slot: slot))
    }
    actions += waiting.filter { cancelled.contains($0.id) && !lost.contains($0.id) }
      .map { .settle(.stop($0)) }
    waiting.removeAll { cancelled.contains($0.id) || lost.contains($0.id) }
    return actions
  }

  private mutating func recover() -> [Action] {
    guard phase == .active || phase == .draining else { return [] }
    gathering = nil
    let wasDraining = phase == .draining
    phase = .recovering
    waiting = []
    // A draining worker has no use for a new life.
    endsAfterRecovery = wasDraining
    return interruptAll() + endIfQuiet()
  }

  private var endsAfterRecovery = false

  private mutating func stop(isUrgent: Bool) -> [Action] {
    switch phase {
    case .active:
      let actions = drain()
      return isUrgent ? actions + interruptAll() : actions
    case .draining: return isUrgent ? interruptAll() : []
    case .recovering:
      endsAfterRecovery = true
      return []
    case .registering:
      phase = .ended
      return [.end]
    case .ended: return []
    }
  }

  private mutating func drain() -> [Action] {
    phase = .draining
    gathering = nil
    let released = waiting.map { Action.settle(.release($0)) }
    waiting = []
    return [.drain] + released + endIfQuiet()
  }

  private func interruptAll() -> [Action] {
    slots.indices.filter { slots[$0] != nil }.map { .interrupt(slot: $0) }
  }

  private mutating func endIfQuiet() -> [Action] {
    guard isIdle, !isClaiming else { return [] }
    switch phase {
    case .draining:
      phase = .ended
      return [.end]
    case .recovering:
      phase = endsAfterRecovery ? .ended : .registering
      return [endsAfterRecovery ? .end : .register]
    default: return []
    }
  }
}
