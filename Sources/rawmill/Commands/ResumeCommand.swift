internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill resume`: has the jobs of a paused batch start again.
enum ResumeCommand: Command {
  static var syntax: CommandSyntax {
    SteeringOptions.syntax("resume", "Go on with a batch that was paused.")
      .queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in
      try store.resume(batch, by: SteeringOptions.actor)
    }
    let line =
      switch before {
      case .open: "batch \(batch) was not paused"
      case .paused: "batch \(batch) goes on"
      case .cancelled: "batch \(batch) is cancelled: submit its inputs again"
      case .finished: "batch \(batch) is finished: nothing to resume"
      }
    SteeringOptions.report(
      line,
      "batchResumed",
      ["batch": .init(batch.rawValue), "before": .string("\(before)")],
      arguments,
      program
    )
    return .success
  }
}
