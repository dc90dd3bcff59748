internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill database prune`: drops old months of attempts and events.
enum DatabasePruneCommand: Command {
  static let age = Option(
    "--older-than",
    "days",
    days,
    isRequired: true,
    "Months that ended at least so many days ago, such as 90d."
  )

  private static let days = ArgumentConversion<Int>("a number of days from 1 to 36500, such as 90d")
  {
    bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let digits = text.hasSuffix("d") ? text.dropLast() : text[...]
    return Int(digits).flatMap { (1...36_500).contains($0) ? $0 : nil }
  }

  static var syntax: CommandSyntax {
    CommandSyntax("prune", "Drop old months of failed attempts and events.")
      .discussion(
        """
        Batches, jobs, outputs, replacements and provenance stay: they prove what was delivered. \
        'rawmill database delete-batch' deletes those of one batch.
        """
      )
      .option(age).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let age = try arguments.requireValue(age)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let dropped = try wrappingQueue { () throws(JobStoreError) in
      try store.prune(olderThanDays: age)
    }
    SteeringOptions.report(
      dropped.isEmpty ? "nothing is that old" : "dropped \(dropped.joined(separator: ", "))",
      "pruned",
      ["dropped": .array(dropped.map { .string($0) })],
      arguments,
      program
    )
    return .success
  }
}

/// `rawmill database delete-batch`: deletes a finished batch with all that is recorded of it.
enum DatabaseDeleteBatchCommand: Command {
  static let batch = Positional("batch", .text, "The number of a finished batch, or its name.")
  static let confirm = Flag("--confirm", "Do it; without this the call only says what would go.")

  static var syntax: CommandSyntax {
    CommandSyntax("delete-batch", "Delete a finished batch with all that is recorded of it.")
      .discussion(
        """
        Deletes its jobs, outputs, replacements, provenance, proofs, statistics, failures, attempts \
        and events. Files are not touched; but what made them can't be asked any more, an audit \
        does not know them, originals that were kept can't be restored, and the same inputs \
        are new work. A name must belong to one batch alone.
        """
      )
      .positional(batch).flag(confirm).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let word = try arguments.requireValue(batch)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let id = try find(word, store)
    let found = try wrappingQueue { () throws(JobStoreError) in try store.batch(id) }
    guard arguments[confirm] else {
      SteeringOptions.report(
        "batch \(id) \(TerminalText.harmless(found.name)), \(found.state), has "
          + "\(Quantity.count(found.total, "job")); call it again with --confirm to delete it",
        "wouldDelete",
        [
          "batch": .init(id.rawValue), "name": .string(found.name), "jobs": .init(found.total),
          "state": .string("\(found.state)"),
        ],
        arguments,
        program
      )
      return .usage
    }
    let count = try wrappingQueue { () throws(JobStoreError) in try store.delete(id) }
    SteeringOptions.report(
      "batch \(id) is deleted, with \(Quantity.count(count, "job"))",
      "batchDeleted",
      ["batch": .init(id.rawValue), "name": .string(found.name), "jobs": .init(count)],
      arguments,
      program
    )
    return .success
  }

  private static func find(
    _ word: String,
    _ store: JobStore
  ) throws(ProgramError) -> BatchID {
    if let number = Int64(word), number > 0 { return BatchID(rawValue: number) }
    let named = try wrappingQueue { () throws(JobStoreError) in try store.batches(named: word) }
    if named.count == 1 { return named[0] }
    throw .usage(
      .invalidValue(
        word,
        of: "<\(batch.name)>",
        expected: named.isEmpty
          ? "the number or the name of a batch"
          : "the number of one of the batches with this name: "
            + named.prefix(20).map(\.description).joined(separator: ", ")
      )
    )
  }
}
