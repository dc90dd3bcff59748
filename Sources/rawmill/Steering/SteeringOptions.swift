internal import FileSystem
internal import JSON
internal import JobModel
internal import ServiceRuntime

/// What the commands that steer batches have in common.
enum SteeringOptions {
  static let batch = Positional(
    "batch",
    .integer(1...Int.max),
    "The number of a batch, as 'rawmill status' shows it."
  )

  /// Who steers, for the events of batches.
  static var actor: String { SystemInformation.environment("USER") ?? "" }

  /// The batch that a call names.
  static func batch(_ arguments: ParsedArguments) throws(ProgramError) -> BatchID {
    BatchID(rawValue: Int64(try arguments.requireValue(batch)))
  }

  /// The syntax of a command about one batch.
  static func syntax(_ name: String, _ abstract: String) -> CommandSyntax {
    CommandSyntax(name, abstract).positional(batch)
  }

  /// Says what was done, as a line or as an event.
  static func report(
    _ line: String,
    _ event: String,
    _ members: KeyValuePairs<String, JSONValue?>,
    _ arguments: ParsedArguments,
    _ program: Program
  ) {
    let events = program.events(arguments)
    events.emit(event, members)
    if !events.isEnabled { program.standardOutput.writeLine(line) }
  }
}

extension CommandSyntax {
  /// With the options that every command about the queue has.
  func queueOptions() -> CommandSyntax {
    option(CommonOptions.database).flag(CommonOptions.json)
  }
}
