internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill pause`: has no more of a batch's jobs start.
enum PauseCommand: Command {
  static let reason = Option("--reason", "text", .text, "Why, for those who look at the batch.")

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("pause", "Start no more jobs of a batch; running ones finish.")
      .option(reason).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in
      try store.pause(batch, by: SteeringOptions.actor, reason: arguments[reason] ?? "")
    }
    let line =
      switch before {
      case .open: "batch \(batch) is paused; running jobs finish"
      case .paused: "batch \(batch) was paused already"
      case .cancelled: "batch \(batch) is cancelled: nothing to pause"
      case .finished: "batch \(batch) is finished: nothing to pause"
      }
    SteeringOptions.report(
      line,
      "batchPaused",
      ["batch": .init(batch.rawValue), "before": .string("\(before)")],
      arguments,
      program
    )
    return .success
  }
}
