internal import Diagnostics
internal import Digest
internal import Dispatch
internal import FileSystem
internal import Glibc
internal import JSON
package import JobModel
internal import Rendering

/// One job at a time, in a child process of its own, on a thread of its own.
// @unchecked: `child` and `jobsOfChild` are touched on `queue` only; the rest is Sendable.
package final class RenderSlot: @unchecked Sendable {
  /// What the slot asks of the service while it works.
  package struct Services: Sendable {
    /// Commits the outputs as intents under the lease, and gives those of earlier attempts.
    package var recordIntents:
      @Sendable (Lease, [OutputRecord]) throws(WorkerError) -> [OutputIntent]
    /// Whether a file may be published now.
    package var mayPublish: @Sendable () -> Bool
    package var observe: @Sendable (ChildProcess.Event) -> Void

    package init(
      recordIntents:
        @escaping @Sendable (Lease, [OutputRecord]) throws(WorkerError) -> [OutputIntent],
      mayPublish: @escaping @Sendable () -> Bool,
      observe: @escaping @Sendable (ChildProcess.Event) -> Void
    ) {
      self.recordIntents = recordIntents
      self.mayPublish = mayPublish
      self.observe = observe
    }
  }

  /// What a slot needs of the worker's configuration.
  package struct Settings: Sendable {
    package var threads: Int
    package var roots: RootMap
    package var launch: ChildLaunch
    package var wallLimit: Duration
    package var jobsPerChild: Int
    package var host: String

    package init(
      threads: Int,
      roots: RootMap,
      launch: ChildLaunch,
      wallLimit: Duration,
      jobsPerChild: Int,
      host: String
    ) {
      self.threads = threads
      self.roots = roots
      self.launch = launch
      self.wallLimit = wallLimit
      self.jobsPerChild = jobsPerChild
      self.host = host
    }
  }

  private let settings: Settings
  private let queue: DispatchQueue
  private var child: ChildProcess?
  private var jobsOfChild = 0
  private let current = Locked(Current())

  /// What other threads may see of the running job.
  private struct Current {
    var child: ChildProcess?
    var isInterrupted = false
  }

  package init(_ settings: Settings) {
    self.settings = settings
    queue = DispatchQueue(label: "rawmill.slot")
  }

  /// Works on a job; `completion` is called on the slot's thread.
  package func start(
    _ job: ClaimedJob,
    services: Services,
    completion: @escaping @Sendable (JobEnd) -> Void
  ) {
    current.withLock { $0.isInterrupted = false }
    queue.async {
      completion(self.run(job, services))
    }
  }

  /// Stops the running job, from any thread.
  package func interrupt() {
    let child = current.withLock { current in
      current.isInterrupted = true
      return current.child
    }
    child?.interrupt()
  }

  /// Ends the idle child, and waits for that.
  package func end() {
    queue.sync {
      child?.end()
      child = nil
    }
  }

  private var isInterrupted: Bool { current.withLock(\.isInterrupted) }

  private func run(_ job: ClaimedJob, _ services: Services) -> JobEnd {
    do throws(WorkerError) {
      return .completed(try render(job, services))
    } catch {
      if case .interrupted = error { return .interrupted }
      if isInterrupted { return .interrupted }
      let failure =
        error.isCrash
        ? JobFailure(failureClass: .crash, code: error.code, message: error.message)
        : JobFailure(error)
      return error.disposition == .fatalWorker ? .workerUnfit(failure) : .failed(failure)
    }
  }

  private func render(_ job: ClaimedJob, _ services: Services) throws(WorkerError) -> JobReport {
    let input = try openInput(job.input)
    var targets: [OutputTarget] = []
    for output in job.outputs {
      let path = try path(of: output.location)
      targets.append(OutputTarget(id: output.id, path: path))
    }
    // Outputs that an earlier attempt or a stranger put there are found before the work, not after.
    let name = "\(job.id)"
    try sweep(targets, name, before: job.attempt)
    let set = try OutputSet.create(targets: targets, job: name, attempt: job.attempt)
    defer { set.discard() }
    let recipe = try recipe(of: job)
    let answer = try ask(
      .render(
        recipe: recipe,
        threads: settings.threads,
        inputName: job.input.location.path.nameForFiles
      ),
      files: [input] + set.files,
      services.observe
    )
    let report = try RenderReport(childAnswer: answer)
    guard report.inputByteCount == job.input.size else {
      throw .inputChanged(
        input.descriptor.path ?? "the input",
        detail: "\(report.inputByteCount) bytes were read instead of \(job.input.size)"
      )
    }

    let start = SystemInformation.monotonicTime
    let written = try set.verify(byteCounts: report.outputs.map { Int64($0.byteCount) })
    let verified = SystemInformation.monotonicTime
    let records = JobReport.outputs(job: job, report: report, written: written)
    guard services.mayPublish(), !isInterrupted else { throw .interrupted }
    let earlier = try services.recordIntents(job.lease, records)
    var known = written.map {
      KnownOutput(path: $0.target.path, size: $0.size, sha256: $0.sha256)
    }
    for intent in earlier {
      let path = try path(of: intent.output.location)
      known.append(KnownOutput(path: path, size: intent.output.size, sha256: intent.output.sha256))
    }
    try set.publish(written, known: known) { services.mayPublish() && !isInterrupted }
    let published = SystemInformation.monotonicTime
    return JobReport(
      job: job,
      report: report,
      settings: answer.value["resolvedSettings"] ?? nil,
      host: settings.host,
      peakBytes: answer.peakBytes,
      ownStages: [("verify", verified - start), ("publish", published - verified)]
    )
  }

  private func recipe(of job: ClaimedJob) throws(WorkerError) -> JSONValue {
    do throws(JSONError) {
      return try JSONParser.parse(job.recipe.canonicalJSON)
    } catch {
      throw .child(RemoteFailure(error))
    }
  }

  private func openInput(_ input: InputFile) throws(WorkerError) -> OpenFile {
    let path = try path(of: input.location)
    do throws(WorkerError) {
      let file = try InputOpening.open(path)
      try InputOpening.check(file, size: input.size, mtime: input.modificationNanoseconds)
      return file
    } catch {
      // A share that is not mounted leaves an empty folder: the host's fault, not the job's.
      if case .system(let cause) = error, cause.errorNumber == ENOENT,
        input.location.root != FileLocation.hostRoot,
        let folder = settings.roots.folder(of: input.location.root),
        (try? folder.directoryEntries())?.isEmpty ?? true
      {
        throw .rootNotMounted(root: input.location.root, folder: folder)
      }
      throw error
    }
  }

  /// The path of a location on this host.
  private func path(of location: FileLocation) throws(WorkerError) -> FilePath {
    guard let folder = settings.roots.folder(of: location.root) else {
      throw .rootNotMounted(root: location.root, folder: nil)
    }
    do throws(SystemError) {
      guard try folder.statusIfExists()?.kind == .folder else {
        throw SystemError(errorNumber: ENOENT, call: "stat", path: folder)
      }
    } catch {
      throw .rootNotMounted(root: location.root, folder: folder)
    }
    guard let path = settings.roots.path(of: location) else {
      throw .pathOutsideRoot(location.path)
    }
    return path
  }

  private func sweep(
    _ targets: [OutputTarget],
    _ job: String,
    before attempt: Int
  ) throws(WorkerError) {
    do throws(SystemError) {
      try TemporaryName.sweep(targets: targets, job: job, attempts: 1..<max(1, attempt))
    } catch {
      throw .system(error)
    }
  }

  private func ask(
    _ request: ChildRequest,
    files: [OpenFile],
    _ observe: (ChildProcess.Event) -> Void
  ) throws(WorkerError) -> ChildProcess.Answer {
    let child = try readyChild()
    let isInterrupted = current.withLock { current in
      current.child = child
      return current.isInterrupted
    }
    defer { current.withLock { $0.child = nil } }
    if isInterrupted { throw .interrupted }
    jobsOfChild += 1
    do throws(WorkerError) {
      return try child.ask(request, files: files, wallLimit: settings.wallLimit, observe: observe)
    } catch {
      // Only a child that reports its failure itself can be asked again.
      if case .child = error { throw error }
      self.child = nil
      throw error
    }
  }

  private func readyChild() throws(WorkerError) -> ChildProcess {
    if let child, jobsOfChild < settings.jobsPerChild { return child }
    child?.end()
    child = nil
    let fresh = try ChildProcess.start(settings.launch)
    child = fresh
    jobsOfChild = 0
    return fresh
  }
}
