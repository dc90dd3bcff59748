internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill cap`: limits how many jobs of a batch run at once.
enum CapCommand: Command {
  /// What a cap may be.
  static let range = 1...1_000_000

  /// A number, or none.
  struct Cap: Sendable {
    let value: Int?
  }

  static let cap = Positional(
    "cap",
    ArgumentConversion<Cap>("a whole number from 1 to 1000000, or none") { bytes in
      if bytes == Array("none".utf8) { return Cap(value: nil) }
      return ArgumentConversion<Int>.integer(range).convert(bytes).map { Cap(value: $0) }
    },
    "How many of its jobs may run at once, on all hosts together; 'none' for any number."
  )

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("cap", "Limit how many jobs of a batch run at once.")
      .positional(cap).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let cap = try arguments.requireValue(cap).value
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let before = try wrappingQueue { () throws(JobStoreError) in
      try store.setCap(of: batch, to: cap)
    }
    let text = cap.map { "a cap of \($0)" } ?? "no cap"
    SteeringOptions.report(
      "batch \(batch) has \(text); it had \(before.map(String.init) ?? "none")",
      "batchCap",
      [
        "batch": .init(batch.rawValue), "cap": cap.map { .init($0) } ?? .null,
        "before": before.map { .init($0) } ?? .null,
      ],
      arguments,
      program
    )
    return .success
  }
}
