internal import JobModel
internal import ServiceRuntime

/// What `run` and `submit` say about the batch itself.
enum BatchOptions {
  static let priority = Option(
    "--priority",
    "n",
    .integer(-1_000...1_000),
    "Batches of higher priority are served first; 0 if absent. A batch gains one each hour."
  )
  static let weight = Option(
    "--weight",
    "n",
    .integer(1...1_000),
    "The share of workers among batches of equal priority; 1 if absent."
  )
  static let maximumRunning = Option(
    "--max-running",
    "n",
    .integer(1...1_000_000),
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
    syntax.option(priority).option(weight).option(maximumRunning).option(after)
  }

  /// The batch that a call asks for.
  static func specification(
    _ arguments: ParsedArguments,
    name: String,
    owner: String,
    policy: RetryPolicy
  ) -> BatchSpecification {
    BatchSpecification(
      name: name,
      owner: owner,
      priority: arguments[priority] ?? 0,
      weight: Double(arguments[weight] ?? 1),
      retryPolicy: policy,
      maximumRunning: arguments[maximumRunning],
      after: arguments[after].map { BatchID(rawValue: Int64($0)) }
    )
  }
}
