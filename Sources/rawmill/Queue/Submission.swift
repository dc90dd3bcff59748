internal import Diagnostics
internal import Discovery
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import Recipe
internal import ServiceRuntime
internal import Worker

/// Inputs on their way into the queue: scanned, planned, compared with what is done already.
struct Submission {
  /// A file that could not be submitted, and why.
  struct Refusal: Sendable {
    var input: String
    var code: ErrorCode
    var message: String

    /// The line for standard error; errors of files name their path themselves.
    var line: String {
      "\(message.hasPrefix(input) ? "" : "\(input): ")\(message) [\(code)]"
    }
  }

  /// The jobs of the submission that are not done yet, by key.
  private(set) var pending: [DedupeKey: InputFile] = [:]
  /// Pending jobs that waited or ran already, by the batch that has them.
  private(set) var queuedBefore: [BatchID: Int] = [:]
  /// Jobs that were done before, with their outputs where they should be.
  private(set) var doneBefore = 0
  /// Files that are no raws.
  private(set) var otherFiles = 0
  private(set) var refusals: [Refusal] = []
  /// Batches that hold the pending jobs: a new one, and those of earlier calls that still run.
  private(set) var batches: Set<BatchID> = []
  /// The batch that was made, if there was work.
  private(set) var batch: BatchID?

  /// Scans inputs and submits what is not done.
  static func submit(
    _ request: SubmissionRequest,
    _ store: JobStore,
    policy: RetryPolicy,
    events: EventStream
  ) throws(ProgramError) -> Submission {
    var submission = Submission()
    let files = try submission.scan(request)
    var jobs: [JobSpecification]
    let plans = request.plans(for: files)
    let planner = JobPlanner(placement: request.placement, roots: request.roots) { file in
      plans.plan(for: file)
    }
    do throws(DiscoveryError) {
      jobs = try planner.jobs(for: files)
    } catch {
      throw .usage(.conflict(error.message))
    }
    if request.placement.replaces {
      try KnownReplacements.adopt(&jobs, files, recipe: request.recipe.digest, store)
    }
    try submission.dropDone(&jobs, request.roots, store)
    submission.pending = Dictionary(
      jobs.map { ($0.key, $0.input) },
      uniquingKeysWith: { first, _ in first }
    )
    if !jobs.isEmpty { try submission.enqueue(jobs, request, policy, store) }
    events.emit(
      "submitted",
      [
        "batch": submission.batch.map { .init($0.rawValue) },
        "pending": .init(submission.pending.count),
        "queuedBefore": .init(submission.queuedBefore.values.reduce(0, +)),
        "doneBefore": .init(submission.doneBefore),
        "otherFiles": .init(submission.otherFiles), "refused": .init(submission.refusals.count),
      ]
    )
    return submission
  }

  private mutating func scan(
    _ request: SubmissionRequest
  ) throws(ProgramError) -> [FoundFile] {
    let placement = request.placement
    let walk = FolderWalk(request.sources, excluding: placement.folder, base: request.base)
    if let pattern = walk.unmatched.first {
      throw .usage(.conflict(DiscoveryError.patternMatchesNothing(pattern.text).message))
    }
    let scan: InputScan
    do throws(WorkerError) {
      scan = try InputScan(walk, probe: ContentProbe())
    } catch {
      throw .other(error)
    }
    otherFiles = scan.skippedCount
    for problem in scan.problems {
      refusals.append(
        Refusal(
          input: problem.path?.displayText ?? "",
          code: problem.error.code,
          message: problem.error.message
        )
      )
    }
    let files = scan.inputs.map { request.renamed($0) }
    return placement.replaces ? files.filter { canBeReplaced($0) } : files
  }

  /// Refuses what a DNG can't take the place of.
  private mutating func canBeReplaced(_ file: FoundFile) -> Bool {
    let name = String(decoding: file.path.fileExtension ?? [], as: UTF8.self).lowercased()
    let isLink = (try? file.path.status(followingLinks: false))?.kind == .symbolicLink
    guard name == "dng", !isLink else {
      refusals.append(
        Refusal(
          input: file.path.displayText,
          code: isLink ? "inputIsLink" : "inputIsNoDNG",
          message: isLink
            ? "\(file.path) is a link: name the file itself, so that it can be replaced"
            : "\(file.path) is no .dng: a DNG can't take its place"
        )
      )
      return false
    }
    return true
  }

  /// Leaves out jobs that are done with every output still there in its recorded size; a job that
  /// lacks an output is marked to be done again.
  private mutating func dropDone(
    _ jobs: inout [JobSpecification],
    _ roots: RootMap,
    _ store: JobStore
  ) throws(ProgramError) {
    let keys = jobs.map(\.key)
    let known = try wrappingQueue { () throws(JobStoreError) in try store.known(keys) }
    var remaining: [JobSpecification] = []
    for var job in jobs {
      if let before = known[job.key], before.state == .ended(.done) {
        if before.outputs.allSatisfy({ Self.isThere($0, roots) }) {
          doneBefore += 1
          continue
        }
        job.redo = true
      }
      remaining.append(job)
    }
    jobs = remaining
  }

  private static func isThere(_ output: OutputRecord, _ roots: RootMap) -> Bool {
    guard let path = roots.path(of: output.location) else { return false }
    do throws(SystemError) {
      return try path.statusIfExists()?.size == output.size
    } catch {
      return false  // what cannot be seen is rendered again, and fails by name if it cannot be
    }
  }

  private mutating func enqueue(
    _ jobs: [JobSpecification],
    _ request: SubmissionRequest,
    _ policy: RetryPolicy,
    _ store: JobStore
  ) throws(ProgramError) {
    let records = request.recipeRecords(for: Set(jobs.map(\.recipe)))
    let specification = request.specification(policy)
    let (id, result) = try wrappingQueue { () throws(JobStoreError) in
      try store.register(records)
      let id = try store.createBatch(specification)
      let result = try store.enqueue(jobs, into: id)
      try store.seal(id)
      return (id, result)
    }
    batch = id
    queuedBefore = result.live
    batches = Set(result.live.keys).union([id])
    for refused in result.refused {
      pending[refused.key] = nil
      refusals.append(
        Refusal(
          input: refused.input.description,
          code: "outputInUse",
          message: "another job writes \(refused.output): wait for it, or choose another folder"
        )
      )
    }
  }
}
