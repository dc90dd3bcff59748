internal import Diagnostics
internal import FileSystem
internal import JobModel
internal import JobStore

extension WorkerService {
  /// Does what the machine says; what it answers to claims is done as well.
  func perform(_ actions: [WorkerMachine.Action]) {
    var claim: Claim?
    for action in actions {
      switch action {
      case .register: register()
      case .claim(let count):
        claim = Claim(count: count, memory: memory.map { MemoryRange(upTo: $0.slot) } ?? .any)
      case .claimHeavy(let slots):
        if let memory {
          let range = MemoryRange(above: memory.slot, upTo: memory.bytes(ofSlots: slots))
          claim = Claim(count: 1, memory: range)
        } else {
          claim = Claim(count: 1, memory: .any)
        }
      case .start(let slot, let job, let memorySlots):
        start(slot, job, memory: memory?.bytes(ofSlots: memorySlots))
      case .interrupt(let slot):
        setRight(slot, false)
        slots[slot].interrupt()
      case .settle(let settlement): settlements.append(settlement)
      case .drain:
        report(.draining)
        graceEnd = SystemInformation.monotonicTime + configuration.drainGrace
        withDatabase { (store) throws(JobStoreError) in
          if let worker { try store.drain(worker) }
        }
      case .end: finish()
      }
    }
    settle(claiming: claim)
    shareLeases()
  }

  /// Begins a life in the queue; tried again by the poll timer if the database fails.
  func register() {
    let started = SystemInformation.monotonicTime
    let failure = withDatabase { (store) throws(JobStoreError) in
      let id = try store.register(
        WorkerSpecification(
          host: host.host,
          bootID: host.bootID,
          processID: SystemInformation.processID,
          processStartTicks: HostIdentity.startTicks(of: SystemInformation.processID) ?? 0,
          version: configuration.version,
          slots: configuration.slots,
          threads: configuration.threads,
          roots: configuration.roots.names,
          memory: memory
        )
      )
      try store.preparePartitions()
      worker = id
    }
    // Asking again would get the same answer for ever. Once it has worked, whoever takes its rights away has a
    // reason, and may give them back.
    if let failure, failure.isRightMissing, !hasRegistered {
      refusal = failure
      handle(.stop(isUrgent: true))
    }
    guard let worker else { return }
    hasRegistered = true
    heart.set(worker: worker, registeredAt: started)
    report(.registered(worker))
    handle(.registered)
  }

  /// What the children are allowed.
  var memory: MemoryShare? {
    configuration.memory.map { MemoryShare(whole: $0, slots: configuration.slots) }
  }

  private func start(_ slot: Int, _ job: ClaimedJob, memory: Int64?) {
    setRight(slot, true)
    report(.started(job))
    let mailbox = mailbox
    let id = job.id
    let holder = holders[slot]
    let right = PublishingRight(slot: slot, lease: job.lease, rights: rights, heart: heart)
    let services = RenderSlot.Services(
      recordIntents: { (lease, records, replacement) throws(WorkerError) in
        // Asked again until the server answers: the work is done, and its lease may still stand.
        while right.wait() {
          let reply = Reply<IntentAnswer>()
          mailbox.send(.intents(lease, records, replacement, reply))
          switch reply.receive() {
          case .known(let intents): return intents
          case .refused(let failure): throw .child(failure)
          case .unreachable: PublishingRight.pause()
          case .lost, nil: throw .interrupted
          }
        }
        throw .interrupted
      },
      replacement: { (job) throws(WorkerError) in try holder.replacement(of: job, right) },
      holding: { (lease, body) throws(WorkerError) in try holder.holding(lease, right, body) },
      mayPublish: { right.isValid },
      awaitRight: { right.wait() },
      observe: { event in
        switch event {
        case .stage(let name): mailbox.send(.observed(.stage(id, name)))
        case .progress(let fraction): mailbox.send(.observed(.progress(id, fraction)))
        }
      }
    )
    slots[slot].start(job, services: services, memory: memory) { end in
      mailbox.send(.finished(slot: slot, end))
    }
  }

  /// Commits a job's outputs as intents; it may be asked again after any answer.
  func recordIntents(
    _ lease: Lease,
    _ records: [OutputRecord],
    _ replacement: ReplacementRecord?
  ) -> IntentAnswer {
    var intents: [OutputIntent]?
    let failure = withDatabase { (store) throws(JobStoreError) in
      intents = try store.recordIntent(lease, outputs: records, replacement: replacement)
    }
    if let intents { return .known(intents) }
    guard let failure else { return .lost }
    if case .leaseLost = failure { return .lost }
    if failure.isUnreachable { return .unreachable }
    return .refused(
      RemoteFailure(code: failure.code, message: failure.message, disposition: .transient)
    )
  }

  private func finish() {
    // What is left here could not be written; the rescue of this life's leases has it.
    if let worker {
      withDatabase { (store) throws(JobStoreError) in try store.retire(worker) }
    }
    heart.set(worker: nil, registeredAt: .zero)
    end = newerSchema.map { .outdated($0) } ?? (machine.isUnfit ? .unfit : .stopped)
  }

  /// Tells the heartbeat which leases to ask after.
  private func shareLeases() {
    let held = machine.heldJobs + settlements.map(\.job)
    heart.set(leases: Set(held.map(\.lease)))
    show(held)
  }

  /// Says that the database failed; not again and again while nothing else comes to light.
  func reportDatabaseFailure(_ message: String) {
    let now = SystemInformation.monotonicTime
    if let last = lastDatabaseFailure, last.message == message, now - last.time < .seconds(30) {
      return
    }
    lastDatabaseFailure = (message, now)
    report(.databaseFailed(message))
  }

  /// Runs `body` on the queue's connection, which is opened anew if it was lost.
  ///
  /// The failure is reported and given back; the caller tries again later. Shortly after a failure
  /// nothing is tried, and that failure is given again.
  @discardableResult
  func withDatabase(_ body: (JobStore) throws(JobStoreError) -> Void) -> JobStoreError? {
    if let lastFailure, !delay.mayTry(at: SystemInformation.monotonicTime) { return lastFailure }
    do throws(JobStoreError) {
      let store = try connectedStore()
      self.store = store
      try body(store)
      delay.succeed()
      lastFailure = nil
      return nil
    } catch {
      if case .leaseLost = error { return error }
      reportDatabaseFailure(error.message)
      // Whatever state the session is in, a new one has none.
      self.store = nil
      var system = SystemRandomNumberGenerator()
      delay.fail(at: SystemInformation.monotonicTime, random: system.next())
      lastFailure = error
      return error
    }
  }
}
