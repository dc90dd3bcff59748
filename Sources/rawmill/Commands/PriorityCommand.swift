internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill priority`: says which batches are served first.
enum PriorityCommand: Command {
  /// What a priority may be; it grows by one for each hour that a batch waits.
  static let range = -1_000...1_000
  static let priority = Positional(
    "priority",
    .integer(range),
    "The higher is served first; batches start with 0."
  )

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("priority", "Set which batches are served first.")
      .positional(priority).queueOptions()
      .discussion(
        """
        A batch gains one step of priority for each hour that it is old, so that none waits for ever.
        """
      )
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let priority = try arguments.requireValue(priority)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in
      try store.setPriority(of: batch, to: priority)
    }
    SteeringOptions.report(
      "batch \(batch) has priority \(priority); it had \(before)",
      "batchPriority",
      ["batch": .init(batch.rawValue), "priority": .init(priority), "before": .init(before)],
      arguments,
      program
    )
    return .success
  }
}
