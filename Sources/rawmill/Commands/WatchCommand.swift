internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import Reporting
internal import ServiceRuntime

/// `rawmill watch`: the farm on a live screen.
enum WatchCommand: Command {
  static let batches = Positional(
    "batch",
    .integer(1...Int.max),
    isRepeatable: true,
    isOptional: true,
    "Batches to watch; by default all that are open."
  )
  static let exit = Flag("--exit", "End when none of the batches is open any more.")
  static let interval = Option(
    "--interval",
    "seconds",
    .integer(1...3_600),
    "How often to look; every second if absent."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("watch", "Show batches, workers and failures as they come.")
      .discussion(
        """
        On a terminal a screen that is drawn anew, which q or Ctrl-C ends; elsewhere lines. With \
        --exit or --on-finish it ends when no batch is open: with code 0, or 1 if jobs failed or were \
        cancelled.

        The command of --on-finish has RAWMILL_BATCH, RAWMILL_STATE (finished, failed, cancelled), \
        RAWMILL_DONE and RAWMILL_FAILED in its environment.
        """
      )
      .positional(batches).flag(exit).option(FinishCommand.option).option(interval)
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let named = arguments.all(batches).map { BatchID(rawValue: Int64($0)) }
    let endsItself = arguments[exit] || arguments[FinishCommand.option] != nil
    let stop = StopSignal.install()
    var view = WatchView(program, program.events(arguments))
    var watcher = FarmWatcher(named)
    let interval = Duration.seconds(arguments[interval] ?? 1)
    var last = FarmSnapshot()
    do throws(ProgramError) {
      while !stop.isRequested {
        if let farm = try look(&watcher, store, &view) {
          last = farm
          view.show(farm)
          // Nobody watches any more, and nothing is to be done at the end.
          if !endsItself, program.standardOutput.hasFailed { break }
          if endsItself, farm.isOver { break }
        }
        if view.waits(interval, stop) { break }
      }
    } catch {
      view.end(last)
      throw error
    }
    view.end(last)
    guard endsItself else { return .success }
    let outcome = outcome(last, isOver: last.isOver && !stop.isRequested)
    let code: ExitCode = outcome.state == "finished" ? .success : .someFailed
    guard outcome.state != "interrupted" else { return code }
    return try FinishCommand.run(arguments, outcome, program, otherwise: code)
  }

  /// The farm now; nothing while the database is away, which is asked again.
  private static func look(
    _ watcher: inout FarmWatcher,
    _ store: JobStore,
    _ view: inout WatchView
  ) throws(ProgramError) -> FarmSnapshot? {
    do throws(JobStoreError) {
      if !store.connection.isUsable { try store.reconnect() }
      return try watcher.look(store)
    } catch {
      guard case .postgres(let cause) = error, cause.isConnectionFailure else {
        return try wrappingQueue { () throws(JobStoreError) in throw error }
      }
      view.showTrouble(cause.message)
      return nil
    }
  }

  private static func outcome(_ farm: FarmSnapshot, isOver: Bool) -> FinishCommand.Outcome {
    let batches = farm.batches.map(\.batch)
    let failed = batches.reduce(0) { $0 + $1.progress.failed }
    let isCancelled = batches.contains { $0.state == .cancelled }
    return FinishCommand.Outcome(
      batches: batches.map(\.id).sorted(),
      state: !isOver
        ? "interrupted" : isCancelled ? "cancelled" : failed > 0 ? "failed" : "finished",
      done: batches.reduce(0) { $0 + $1.progress.done },
      failed: failed
    )
  }
}
