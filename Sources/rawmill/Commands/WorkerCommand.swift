internal import Diagnostics
internal import HTTP
internal import JSON
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import Rendering
internal import ServiceRuntime
internal import Worker

/// `rawmill worker`: claims jobs and renders them until it is told to stop.
enum WorkerCommand: Command {
  static let quiet = Flag("--quiet", "Say only what keeps the worker from working.")

  static var syntax: CommandSyntax {
    CommandSyntax("worker", "Render what is in the queue until told to stop.")
      .discussion(
        """
        SIGTERM and SIGINT let it finish what it has, or give it back after 30 seconds; a second \
        signal does not wait.
        """
      )
      .option(CommonOptions.slots).option(CommonOptions.threads).option(CommonOptions.memory)
      .option(CommonOptions.root)
      .option(CommonOptions.digestPolicy)
      .option(CommonOptions.database).option(CommonOptions.metrics).serviceOptions()
      .flag(quiet).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let source = try DatabaseSource.find(arguments)
    let roots = try RootOptions.map(arguments)
    // Before anything takes time: a stop that comes meanwhile counts.
    let stop = StopSignal.install()
    let address = try source.openQueue(program.log, makesSchema: true).address
    let threads = arguments[CommonOptions.threads] ?? 1
    let budget = ProcessorBudget.current.threadCount
    var configuration = WorkerConfiguration(
      database: address,
      slots: arguments[CommonOptions.slots] ?? max(1, budget / threads),
      threads: threads,
      version: EngineInformation.version
    )
    configuration.roots = roots
    configuration.memory =
      arguments[CommonOptions.memory].map { Int64($0) << 20 } ?? MemoryBudget.current.bytes
    if let policy = arguments[CommonOptions.digestPolicy] {
      configuration.launch = ChildLaunch(digestPolicy: policy)
    }
    TestTimes.apply(to: &configuration)
    var log = program.log
    if arguments[quiet] { log.level = max(log.level, .warning) }
    let metrics = WorkerMetrics()
    let reporter = WorkerReporter(log: log, events: program.events(arguments), metrics: metrics)
    let service = WorkerService(configuration) { reporter.report($0) }
    let server = try MetricsServer.start(arguments, program, metrics, service)
    Task.detached {
      for await _ in stop.requests { service.stop() }
    }
    let end = try withExtendedLifetime(server) { () throws(ProgramError) in
      try wrappingQueue { () throws(JobStoreError) in try service.run() }
    }
    switch end {
    case .stopped: return .success
    case .unfit: return .internalError
    case .outdated(let error): throw .database(error)
    }
  }
}
