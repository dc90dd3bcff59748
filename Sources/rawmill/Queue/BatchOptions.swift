internal import FileSystem
internal import JobModel
internal import ServiceRuntime

/// What `run` and `submit` say about the batch that they make.
enum BatchOptions {
  static let name = Option("--name", "text", .text, "What people know the batch by.")
  static let priority = Option(
    "--priority",
    "n",
    .integer(PriorityCommand.range),
    "The higher is served first among batches; 0 if absent."
  )
  static let weight = Option(
    "--weight",
    "x",
    .decimal(WeightCommand.range),
    "Its share among batches of equal priority; 1 if absent."
  )
  static let cap = Option(
    "--cap",
    "n",
    .integer(CapCommand.range),
    "No more of the batch's pictures at once, on all hosts together."
  )
  static let after = Option(
    "--after",
    "batch",
    .integer(1...Int.max),
    "Begin when this batch is finished, whatever of it failed."
  )

  /// Adds these options to a command.
  static func add(to syntax: CommandSyntax) -> CommandSyntax {
    syntax.option(name).option(priority).option(weight).option(cap).option(after)
  }

  /// The batch of a call, which is called `name` unless it says otherwise, with more than nothing.
  static func specification(
    _ arguments: ParsedArguments,
    name: String,
    _ policy: RetryPolicy
  ) -> BatchSpecification {
    BatchSpecification(
      name: arguments[Self.name].flatMap { $0.isEmpty ? nil : $0 } ?? name,
      owner: SystemInformation.environment("USER") ?? "",
      priority: arguments[priority] ?? 0,
      weight: arguments[weight] ?? 1,
      retryPolicy: policy,
      maximumRunning: arguments[cap],
      after: arguments[after].map { BatchID(rawValue: Int64($0)) }
    )
  }
}
