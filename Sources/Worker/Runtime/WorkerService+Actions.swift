internal import Diagnostics
internal import FileSystem
internal import JobModel
internal import JobStore

extension WorkerService {
  /// Does what the machine says; what it answers to claims is done as well.
  func perform(_ actions: [WorkerMachine.Action]) {
    var claim: Int?
    for action in actions {
      switch action {
      case .register: register()
      case .claim(let count): claim = count
      case .start(let slot, let job): start(slot, job)
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
    withDatabase { (store) throws(JobStoreError) in
      let id = try store.register(
        WorkerSpecification(
          host: host.host,
          bootID: host.bootID,
          processID: SystemInformation.processID,
          processStartTicks: HostIdentity.startTicks(of: SystemInformation.processID) ?? 0,
          version: configuration.version,
          slots: configuration.slots,
          threads: configuration.threads,
          roots: configuration.roots.names
        )
      )
      try store.preparePartitions()
      worker = id
    }
    guard let worker else { return }
    heart.set(worker: worker, registeredAt: started)
    report(.registered(worker))
    handle(.registered)
  }

  private func start(_ slot: Int, _ job: ClaimedJob) {
    setRight(slot, true)
    report(.started(job))
    let mailbox = mailbox
    let rights = rights
    let heart = heart
    let id = job.id
    let holder = holders[slot]
    let services = RenderSlot.Services(
      recordIntents: { (lease, records, replacement) throws(WorkerError) in
        let reply = Reply<Result<[OutputIntent], WorkerError>>()
        mailbox.send(.intents(lease, records, replacement, reply))
        guard let result = reply.receive() else { throw .interrupted }
        return try result.get()
      },
      replacement: { (job) throws(WorkerError) in try holder.replacement(of: job) },
      holding: { (lease, body) throws(WorkerError) in try holder.holding(lease, body) },
      mayPublish: { rights.withLock { $0[slot] } && heart.isLeaseValid },
      observe: { event in
        switch event {
        case .stage(let name): mailbox.send(.observed(.stage(id, name)))
        case .progress(let fraction): mailbox.send(.observed(.progress(id, fraction)))
        }
      }
    )
    slots[slot].start(job, services: services) { end in
      mailbox.send(.finished(slot: slot, end))
    }
  }

  /// Commits a job's outputs as intents; what the slot gets when the database fails is a reason to try
  /// the job again.
  func recordIntents(
    _ lease: Lease,
    _ records: [OutputRecord],
    _ replacement: ReplacementRecord?
  ) -> Result<[OutputIntent], WorkerError> {
    var intents: [OutputIntent]?
    var failure: JobStoreError?
    // A lost connection is opened once more: the statement may be repeated.
    for _ in 0..<2 where intents == nil {
      failure = withDatabase { (store) throws(JobStoreError) in
        intents = try store.recordIntent(lease, outputs: records, replacement: replacement)
      }
      if case .leaseLost = failure { return .failure(.interrupted) }
    }
    if let intents { return .success(intents) }
    guard let failure else { return .failure(.interrupted) }
    return .failure(
      .child(
        RemoteFailure(code: failure.code, message: failure.message, disposition: .transient)
      )
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
  /// The failure is reported and given back; the caller tries again later.
  @discardableResult
  func withDatabase(_ body: (JobStore) throws(JobStoreError) -> Void) -> JobStoreError? {
    do throws(JobStoreError) {
      let store = try connectedStore()
      self.store = store
      try body(store)
      return nil
    } catch {
      if case .leaseLost = error { return error }
      reportDatabaseFailure(error.message)
      // Whatever state the session is in, a new one has none.
      self.store = nil
      return error
    }
  }
}
