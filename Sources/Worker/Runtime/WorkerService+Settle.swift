internal import FileSystem
internal import JobModel
internal import JobStore

extension WorkerService {
  /// Jobs that the queue is asked for.
  struct Claim {
    var count: Int
    var memory: MemoryRange
  }

  /// Writes what is settled, and claims jobs in the same transaction as the completions: one wait for
  /// the disk instead of two.
  ///
  /// What can't be written stays and is tried again with the next poll.
  func settle(claiming claim: Claim?) {
    var claimed: [ClaimedJob]?
    let pending = settlements
    settlements = []
    var remaining = pending
    let started = SystemInformation.monotonicTime
    withDatabase { (store) throws(JobStoreError) in
      // Failures first: completions and the claim are one transaction at the end.
      for settlement in pending {
        switch settlement {
        case .complete: continue
        case .fail(let job, let failure):
          let decision = try store.fail(job, failure)
          try blame(failure, store)
          report(.failed(job, failure, decision))
        case .release(let job):
          if try store.release([job.lease]).contains(job.id) { report(.released(job.id)) }
        case .stop(let job):
          if try store.stop([job.lease]).contains(job.id) { report(.cancelled(job.id)) }
        }
        remaining.removeAll { $0.job.id == settlement.job.id }
      }
      let reports = remaining.compactMap { settlement -> (ClaimedJob, JobReport)? in
        if case .complete(let job, let report) = settlement { (job, report) } else { nil }
      }
      guard !reports.isEmpty || claim != nil else { return }
      let committed: Set<JobID>
      if let claim, let worker {
        (committed, claimed) = try store.complete(
          reports.map(\.1),
          thenClaim: claim.count,
          for: worker,
          memory: claim.memory
        )
      } else {
        committed = try store.complete(reports.map(\.1))
      }
      remaining = []
      for (job, report) in reports where committed.contains(job.id) {
        self.report(.completed(job, report))
      }
    }
    settlements = remaining + settlements
    if claim != nil {
      if let claimed {
        report(.claimed(claimed.count, SystemInformation.monotonicTime - started))
      }
      if claimed?.isEmpty ?? true {
        nextPoll = SystemInformation.monotonicTime + configuration.pollInterval
      }
      handle(.claimed(claimed ?? []))
    }
  }

  /// What any process may do for the queue, about once a second: promote, fold, rescue; bury workers
  /// whose heartbeat stands still, and those of this host whose process is gone.
  ///
  /// And what only this one can do: give back what a claim took whose answer never came.
  func maintain(at now: Duration) {
    var isFinished = false
    var heavySlots: Int?
    withDatabase { (store) throws(JobStoreError) in
      let dead = watch.observe(try store.beats(), now: now)
      if !dead.isEmpty {
        let buried = try store.bury(dead)
        if !buried.isEmpty { report(.buried(buried)) }
      }
      var gone: [WorkerID] = []
      for (id, worker) in try store.workers(onHost: host.host) where isGone(worker) {
        try store.retire(id)
        gone.append(id)
      }
      if !gone.isEmpty { report(.buried(gone)) }
      sweep(try store.abandoned(among: try store.rescue()))
      if let worker {
        let held = (machine.heldJobs + settlements.map(\.job)).map(\.lease)
        for job in try store.releaseForgotten(worker, holding: held) { report(.released(job)) }
        if machine.isIdle {
          let missing = try store.missingRoots(worker)
          if missing != missingRoots { report(.rootsMissing(missing)) }
          missingRoots = missing
        }
        if let memory, memory.slots > 1, let need = try store.heavyWaiting(worker) {
          heavySlots = memory.slots(for: need)
        }
      }
      let aside = try store.setAside().filter { $0.host == host.host }
      if aside != self.aside { report(.setAside(aside)) }
      self.aside = aside
      if now >= nextPartitions {
        try store.preparePartitions()
        nextPartitions = now + .seconds(3_600)
      }
      try store.maintain()
      if let batch = configuration.batch {
        let state = try store.batch(batch).state
        isFinished = state == .finished || state == .cancelled
      }
    }
    if isFinished { handle(.workIsDone) }
    if let heavySlots { handle(.heavyWaits(slots: heavySlots)) }
  }

  /// A root that this host can't use is left to others for a while, and tried again then: first after
  /// 5 s, for an interruption of a share, later every 5 minutes.
  private func blame(_ failure: JobFailure, _ store: JobStore) throws(JobStoreError) {
    guard failure.failureClass == .hostFault, let root = failure.root else { return }
    try store.setAside(
      host: host.host,
      root: root,
      reason: failure.message,
      seconds: 5,
      mostSeconds: 300
    )
  }

  /// Removes the temporaries of jobs that ended with their worker.
  private func sweep(_ jobs: [JobStore.AbandonedJob]) {
    for job in jobs {
      let targets = job.outputs.compactMap { output in
        configuration.roots.path(of: output.location)
          .map { OutputTarget(id: output.id, path: $0) }
      }
      // A host that can't reach the folder can't sweep it; the files are hidden and harmless.
      try? TemporaryName.sweep(
        targets: targets,
        job: "\(job.id)",
        attempts: 1..<max(1, job.attempt) + 1
      )
    }
  }

  /// Whether a worker's process has certainly ended: it ran on this boot, in this namespace, and its
  /// number is free or another's.
  private func isGone(_ worker: WorkerSpecification) -> Bool {
    guard worker.host == host.host, worker.bootID == host.bootID else { return false }
    return HostIdentity.startTicks(of: worker.processID) != worker.processStartTicks
  }
}
