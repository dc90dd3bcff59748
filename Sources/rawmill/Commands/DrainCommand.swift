internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill drain`: has a worker finish what it has and end.
enum DrainCommand: Command {
  static let worker = Positional(
    "worker",
    .integer(1...Int.max),
    "The number of a worker, as 'rawmill status' shows it."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("drain", "Have a worker claim no more, finish what it has, and end.")
      .positional(worker).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let id = WorkerID(rawValue: Int64(try arguments.requireValue(worker)))
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in try store.drainWorker(id) }
    let line =
      switch before {
      case .active: "worker \(id) claims no more; it ends when what it has is done"
      case .draining: "worker \(id) was draining already"
      case .dead: "worker \(id) has ended: nothing to drain"
      }
    SteeringOptions.report(
      line,
      "workerDrained",
      ["worker": .init(id.rawValue), "before": .string("\(before)")],
      arguments,
      program
    )
    return .success
  }
}
