internal import DNGFormat
internal import FileSystem
internal import HTTP
internal import JSON
internal import JobModel
internal import JobStore
internal import ProcessControl
internal import ServiceRuntime

/// The working part of `run`: a worker process, and a look at the queue now and then.
struct RunLoop: ~Copyable {
  /// Looks at the queue are as far apart as this, and at least 20 times as long as they take.
  private static let interval = Duration.milliseconds(300)

  private(set) var watch: RunWatch
  private let store: JobStore
  private let log: Log
  private let events: EventStream
  private let begin: Duration
  private var worker: WorkerSupervisor
  private var display: ProgressDisplay
  private var pictures = RateEstimator()
  private var megapixels = RateEstimator()
  private var lastEvent = Duration.zero
  /// Since when the database has not answered.
  private var lostSince: Duration?
  /// How long it may not answer: workers hold what they rendered meanwhile.
  private static let patience = Duration.seconds(600)

  private init(
    watch: RunWatch,
    store: JobStore,
    program: Program,
    events: EventStream,
    begin: Duration,
    worker: consuming WorkerSupervisor
  ) {
    self.watch = watch
    self.store = store
    self.events = events
    self.begin = begin
    self.worker = worker
    log = program.log
    let log = program.log
    let isTerminal = log.format == .text && Terminal.isInteractive(2)
    display = ProgressDisplay(
      isTerminal ? .terminal(columns: Terminal.width(2)) : .plain,
      output: log.format == .text
        ? .standardError
        : TextOutput { log.write(.info, "progress", String($0.dropLast())) }
    )
  }

  /// Starts a worker for a submission that has work.
  static func start(
    _ arguments: ParsedArguments,
    _ program: Program,
    _ submission: Submission,
    _ source: DatabaseSource,
    _ store: JobStore,
    begin: Duration
  ) throws(ProgramError) -> RunLoop {
    let watch = try wrappingQueue { () throws(JobStoreError) in try RunWatch(submission, store) }
    let launch = workerArguments(arguments, pictures: submission.pending.count)
    var url: String?
    if case .named(_, let named) = source { url = named }
    let worker = try wrappingFiles { () throws(SystemError) in
      try WorkerSupervisor(arguments: launch, databaseURL: url)
    }
    return RunLoop(
      watch: watch,
      store: store,
      program: program,
      events: program.events(arguments),
      begin: begin,
      worker: worker
    )
  }

  /// Processors are shared among as many slots as there are pictures for; what is left over gives each
  /// picture more threads.
  private static func workerArguments(_ arguments: ParsedArguments, pictures: Int) -> [[UInt8]] {
    let budget = ProcessorBudget.current.threadCount
    let slots =
      arguments[CommonOptions.slots]
      ?? max(1, min(pictures, budget / (arguments[CommonOptions.threads] ?? 1)))
    let threads = arguments[CommonOptions.threads] ?? max(1, budget / slots)
    var words = ["worker", "--quiet", "--slots", String(slots), "--threads", String(threads)]
    if let policy = arguments[CommonOptions.digestPolicy] {
      words += ["--digest-policy", policy.rawValue]
    }
    if let format = arguments[CommonOptions.logFormat] {
      words += ["--log-format", format.rawValue]
    }
    if let level = arguments[CommonOptions.logLevel] { words += ["--log-level", level.rawValue] }
    if let endpoint = arguments[CommonOptions.metrics] {
      words += ["--metrics", endpoint.description]
    }
    if let memory = arguments[CommonOptions.memory] { words += ["--memory", String(memory)] }
    for root in arguments.all(CommonOptions.root) { words.append("--root=\(root)") }
    return words.map { Array($0.utf8) }
  }

  /// Works until every picture is over, or a stop is asked for.
  mutating func work(_ stop: StopSignal) throws(ProgramError) {
    var interval = Self.interval
    do throws(ProgramError) {
      while !watch.isFinished, watch.ownPause == nil, !stop.isRequested {
        let change = try wrappingWorker(interval)
        if case .restarted(let exit) = change {
          display.clear()
          log.warning("the worker process ended (\(exit.reason)); starting another")
          events.emit("workerRestarted", ["exit": .string("\(exit.reason)")])
        }
        let before = SystemInformation.monotonicTime
        try look()
        interval = max(Self.interval, (SystemInformation.monotonicTime - before) * 20)
        interval = min(interval, .seconds(10))
      }
    } catch {
      display.clear()
      worker.stop(patience: .seconds(5)) { true }
      throw error
    }
    if stop.isRequested {
      display.clear()
      log.info("stopping: what runs is finished or given back; again to not wait")
    }
    if let pause = watch.ownPause {
      display.clear()
      log.error("batch \(pause.batch) has paused itself: \(TerminalText.harmless(pause.reason))")
      log.error("'rawmill resume \(pause.batch)' and the same command again go on with it")
      events.emit(
        "batchPaused",
        ["batch": .init(pause.batch.rawValue), "reason": .string(pause.reason)]
      )
    }
    worker.stop(patience: .seconds(40)) { stop.isUrgent }
    try look()
    display.finish(snapshot())
  }

  private mutating func wrappingWorker(
    _ interval: Duration
  ) throws(ProgramError) -> WorkerSupervisor.Change {
    let change: WorkerSupervisor.Change
    do throws(SystemError) {
      change = try worker.watch(for: interval)
    } catch {
      throw .other(error)
    }
    if case .restarted(let exit) = change, exit.reason == .code(ExitCode.versionMismatch.rawValue) {
      // Another worker would end the same way; the schema itself says why.
      let found = try wrappingQueue { () throws(JobStoreError) in try store.schemaVersion() }
      throw .database(
        JobStoreError.schemaVersion(found: found, expected: Migrator.programVersion)
      )
    }
    if case .givenUp(let exit) = change { throw .other(RunError.workerKeepsEnding(exit)) }
    return change
  }

  private mutating func look() throws(ProgramError) {
    do throws(JobStoreError) {
      if lostSince != nil { try store.reconnect() }
      _ = try watch.update(store)
      lostSince = nil
    } catch {
      let now = SystemInformation.monotonicTime
      let since = lostSince ?? now
      guard error.isUnreachable, now - since < Self.patience else { throw .database(error) }
      if lostSince == nil {
        display.writeLine("rawmill: the database will be asked again: \(error.message)")
      }
      lostSince = since
      return
    }
    let elapsed = SystemInformation.monotonicTime - begin
    pictures.add(Double(watch.done + watch.failed), at: elapsed)
    megapixels.add(Double(watch.pixels) / 1e6, at: elapsed)
    let progress = snapshot()
    if events.isEnabled {
      guard elapsed - lastEvent >= .seconds(1) else { return }
      lastEvent = elapsed
      events.emit(
        "progress",
        [
          "done": .init(progress.done), "failed": .init(progress.failed),
          "total": .init(progress.total), "megapixels": .init(progress.megapixels),
          "picturesPerSecond": progress.picturesPerSecond.map { .init($0) },
          "secondsLeft": progress.secondsLeft.map { .init($0) },
        ]
      )
    } else {
      display.update(progress)
    }
  }

  private func snapshot() -> ProgressSnapshot {
    ProgressSnapshot(
      done: watch.done,
      failed: watch.failed,
      total: watch.total,
      megapixels: Double(watch.pixels) / 1e6,
      elapsed: SystemInformation.monotonicTime - begin,
      picturesPerSecond: pictures.perSecond,
      megapixelsPerSecond: megapixels.perSecond
    )
  }
}
