internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill weight`: divides the workers among batches of equal priority.
enum WeightCommand: Command {
  static let range = 0.001...1_000_000.0
  static let weight = Positional(
    "weight",
    .decimal(range),
    "Its share among batches of equal priority; batches start with 1."
  )

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("weight", "Set a batch's share among batches of equal priority.")
      .positional(weight).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let weight = try arguments.requireValue(weight)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in
      try store.setWeight(of: batch, to: weight)
    }
    SteeringOptions.report(
      "batch \(batch) has weight \(Quantity.significant(weight)); "
        + "it had \(Quantity.significant(before))",
      "batchWeight",
      ["batch": .init(batch.rawValue), "weight": .init(weight), "before": .init(before)],
      arguments,
      program
    )
    return .success
  }
}
