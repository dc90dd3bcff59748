internal import FileSystem
internal import JobModel
internal import JobStore

/// Follows the jobs of one `run` in the queue until each has ended.
struct RunWatch {
  private let jobs: [DedupeKey: InputFile]
  private var open: [DedupeKey]
  /// Jobs that ended, by their key, with their outcome.
  private(set) var ended: [DedupeKey: KnownJob] = [:]
  private let batches: Set<BatchID>
  /// Photosites of each batch before this run.
  private var pixelsBefore: [BatchID: Int64] = [:]
  private(set) var pixels: Int64 = 0
  /// The batch that has paused itself because its jobs fail alike, with the reason: nothing of it goes
  /// on until somebody resumes it.
  private(set) var ownPause: (batch: BatchID, reason: String)?

  init(_ submission: Submission, _ store: JobStore) throws(JobStoreError) {
    jobs = submission.pending
    open = Array(jobs.keys)
    batches = submission.batches
    for batch in batches {
      pixelsBefore[batch] = batch == submission.batch ? 0 : try store.batch(batch).progress.pixels
    }
  }

  var isFinished: Bool { open.isEmpty }
  var total: Int { jobs.count }
  var done: Int { ended.values.count { $0.state == .ended(.done) } }
  var failed: Int { ended.values.count { $0.state == .ended(.failed) } }

  /// Asks the queue; gives the jobs that have failed since the last time.
  mutating func update(_ store: JobStore) throws(JobStoreError) -> [KnownJob] {
    var failures: [KnownJob] = []
    let known = try store.known(open)
    open.removeAll { key in
      guard let job = known[key], !job.state.isLive else { return false }
      ended[key] = job
      if job.state == .ended(.failed) { failures.append(job) }
      return true
    }
    var sum: Int64 = 0
    ownPause = nil
    for id in batches {
      let batch = try store.batch(id)
      sum += batch.progress.pixels - (pixelsBefore[id] ?? 0)
      if batch.state == .paused, batch.pausedBy == QueueEvent.queueActor {
        ownPause = (id, batch.pauseReason ?? "")
      }
    }
    pixels = sum
    return failures
  }

  /// Adds what the jobs came to, with each failure by its reason.
  func addResults(to totals: inout RunTotals, _ store: JobStore) throws(JobStoreError) {
    totals.done += done
    totals.pixels += pixels
    totals.unfinished += open.count
    var failed: [JobID] = []
    for (key, job) in ended {
      switch job.state {
      case .ended(.done):
        totals.inputBytes += jobs[key]?.size ?? 0
        totals.outputBytes += job.outputs.reduce(0) { $0 + $1.size }
      case .ended(.failed): failed.append(job.id)
      case .ended: totals.cancelled += 1
      default: break
      }
    }
    let finished = ended.values.filter { $0.state == .ended(.done) }.map(\.id).sorted()
    totals.proofs = try store.proofs(ofJobs: finished)
    // By job and not by batch: another run may have taken a failed job over to its own.
    let reasons = try store.failures(ofJobs: failed.sorted())
    for job in reasons {
      totals.addFailure(job.input.description, job.failure.code, job.failure.message)
    }
    totals.unfinished += failed.count - reasons.count
  }
}
