internal import Diagnostics
internal import Digest
internal import Dispatch
internal import FileSystem
internal import Glibc
internal import JSON
package import JobModel
internal import Rendering

/// One job at a time, in a child process of its own, on a thread of its own.
// @unchecked: `child`, `memory` and those next to them are touched on `queue` only; the rest is Sendable.
package final class RenderSlot: @unchecked Sendable {
  /// What the slot asks of the service while it works.
  package struct Services: Sendable {
    /// Commits the outputs as intents under the lease, with the replacement of the input where they take
    /// its place, and gives the intents of earlier attempts.
    package var recordIntents:
      @Sendable (Lease, [OutputRecord], ReplacementRecord?) throws(WorkerError) -> [OutputIntent]
    /// The replacement that an earlier attempt of a job intended.
    package var replacement: @Sendable (JobID) throws(WorkerError) -> KnownReplacement?
    /// Runs something while nobody else can decide the job.
    package var holding:
      @Sendable (Lease, () -> Result<Void, WorkerError>) throws(WorkerError) -> Void
    /// Whether a file may be published now.
    package var mayPublish: @Sendable () -> Bool
    /// The same, but waits for the answer while the lease is in doubt.
    package var awaitRight: @Sendable () -> Bool
    package var observe: @Sendable (ChildProcess.Event) -> Void

    package init(
      recordIntents:
        @escaping @Sendable (
          Lease, [OutputRecord], ReplacementRecord?
        ) throws(WorkerError) -> [OutputIntent],
      replacement: @escaping @Sendable (JobID) throws(WorkerError) -> KnownReplacement?,
      holding:
        @escaping @Sendable (
          Lease, () -> Result<Void, WorkerError>
        ) throws(WorkerError) -> Void,
      mayPublish: @escaping @Sendable () -> Bool,
      awaitRight: @escaping @Sendable () -> Bool,
      observe: @escaping @Sendable (ChildProcess.Event) -> Void
    ) {
      self.recordIntents = recordIntents
      self.replacement = replacement
      self.holding = holding
      self.mayPublish = mayPublish
      self.awaitRight = awaitRight
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

  let settings: Settings
  private let queue: DispatchQueue
  private var child: ChildProcess?
  private var jobsOfChild = 0
  /// Bytes that the job's child is allowed, and those that the present child is.
  private var memory: Int64?
  private var memoryOfChild: Int64?
  private let current = Locked(Current())

  /// What other threads may see of the running job.
  private struct Current {
    var child: ChildProcess?
    var isInterrupted = false
    var childStarts = 0
  }

  package init(_ settings: Settings) {
    self.settings = settings
    queue = DispatchQueue(label: "rawmill.slot")
  }

  /// Works on a job, in a child that is allowed `memory` bytes (nil: any number); `completion` is called
  /// on the slot's thread.
  package func start(
    _ job: ClaimedJob,
    services: Services,
    memory: Int64? = nil,
    completion: @escaping @Sendable (JobEnd) -> Void
  ) {
    current.withLock { $0.isInterrupted = false }
    queue.async {
      self.memory = memory
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

  /// Bytes that the present child is allowed; nil: any number; asked on the slot's thread.
  var memoryLimit: Int64? { memoryOfChild }

  var isInterrupted: Bool { current.withLock(\.isInterrupted) }

  /// Children that were started so far; from any thread.
  var childStarts: Int { current.withLock(\.childStarts) }

  private func run(_ job: ClaimedJob, _ services: Services) -> JobEnd {
    do throws(WorkerError) {
      return .completed(try render(job, services))
    } catch {
      if case .interrupted = error { return .interrupted }
      if isInterrupted { return .interrupted }
      let failure = failure(of: job, error)
      return error.disposition == .fatalWorker ? .workerUnfit(failure) : .failed(failure)
    }
  }

  func recipe(of job: ClaimedJob) throws(WorkerError) -> JSONValue {
    do throws(JSONError) {
      return try JSONParser.parse(job.recipe.canonicalJSON)
    } catch {
      throw .child(RemoteFailure(error))
    }
  }

  func openInput(_ input: InputFile) throws(WorkerError) -> OpenFile {
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
  func path(of location: FileLocation) throws(WorkerError) -> FilePath {
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

  func sweep(
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

  func ask(
    _ request: ChildRequest,
    files: [OpenFile],
    _ observe: (ChildProcess.Event) -> Void
  ) throws(WorkerError) -> ChildProcess.Answer {
    defer { current.withLock { $0.child = nil } }
    let child = try readyChild()
    let isInterrupted = current.withLock { current in
      current.child = child
      return current.isInterrupted
    }
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
    if let child, jobsOfChild < settings.jobsPerChild, memoryOfChild == memory { return child }
    child?.end()
    child = nil
    var launch = settings.launch
    launch.memory = memory
    let fresh = try ChildProcess.start(launch) { spawned in
      let isInterrupted = current.withLock { current in
        current.child = spawned
        return current.isInterrupted
      }
      if isInterrupted { spawned.interrupt() }
    }
    child = fresh
    current.withLock { $0.childStarts += 1 }
    memoryOfChild = memory
    jobsOfChild = 0
    return fresh
  }
}
