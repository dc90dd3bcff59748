internal import Diagnostics
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill errors`: failed jobs by reason, with the command that does them again.
enum ErrorsCommand: Command {
  static let batch = Positional(
    "batch",
    .integer(1...Int.max),
    isOptional: true,
    "The number of a batch; by default the 10 newest that have failures."
  )
  static let limit = Option(
    "--limit",
    "n",
    .integer(1...1_000_000),
    "File names for each reason; 10 if absent."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("errors", "Show which jobs failed and why, and how to do them again.")
      .positional(batch).option(limit).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let named = arguments.all(batch).first.map { BatchID(rawValue: Int64($0)) }
    let ids = try wrappingQueue { () throws(JobStoreError) in
      if let named { return [try store.batch(named).id] }
      return try store.batchesWithFailures(limit: 10)
    }
    var isFirst = true
    for id in ids {
      let (batch, groups) = try wrappingQueue { () throws(JobStoreError) in
        (try store.batch(id), try store.failureGroups(of: id))
      }
      if groups.isEmpty { continue }
      if !arguments[CommonOptions.json] {
        let count = groups.reduce(0) { $0 + $1.count }
        let name = TerminalText.harmless(batch.name)
        program.standardOutput.writeLine(
          (isFirst ? "" : "\n") + "batch \(id) \(name): \(count) failed"
        )
      }
      isFirst = false
      for group in groups {
        try show(group, of: id, store, arguments, program)
      }
    }
    if isFirst, !arguments[CommonOptions.json] {
      program.standardOutput.writeLine(
        named.map { "batch \($0) has no failed jobs" } ?? "no failed jobs"
      )
    }
    return .success
  }

  private static func show(
    _ group: FailureGroup,
    of batch: BatchID,
    _ store: JobStore,
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) {
    let limit = arguments[limit] ?? 10
    let jobs = try wrappingQueue { () throws(JobStoreError) in
      try store.failures(of: batch, code: group.code.rawValue, limit: limit)
    }
    let command = retryCommand(batch, group.code)
    let events = program.events(arguments)
    events.emit(
      "failures",
      [
        "batch": .init(batch.rawValue), "code": .string(group.code.rawValue),
        "class": .string("\(group.failureClass)"), "count": .init(group.count),
        "files": .array(
          jobs.map { job in
            [
              "job": .init(job.id.rawValue), "input": .string(job.input.description),
              "attempt": .init(job.attempt), "message": .string(job.failure.message),
            ]
          }
        ),
        "retry": .string(command),
      ]
    )
    guard !events.isEnabled else { return }
    let output = program.standardOutput
    output.writeLine("")
    output.writeLine(
      "  \(group.count) \(TerminalText.harmless("\(group.code)")), \(group.failureClass)"
    )
    for job in jobs {
      output.writeLine("    \(TerminalText.harmless("\(job.input)"))")
      output.writeLine("      \(TerminalText.harmless(job.failure.message))")
    }
    if group.count > jobs.count {
      output.writeLine("    and \(group.count - jobs.count) more: --limit \(group.count) shows all")
    }
    output.writeLine("    \(command)")
  }

  /// A line for a shell.
  private static func retryCommand(_ batch: BatchID, _ code: ErrorCode) -> String {
    "rawmill retry \(batch) --code \(ShellText.quoted(code.rawValue))"
  }
}
