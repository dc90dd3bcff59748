internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill export statistics`: what was measured, as a table.
enum ExportStatisticsCommand: Command {
  static let batch = Option<Int>(
    "--batch",
    "b",
    .integer(1...Int.max),
    isRequired: true,
    "The number of a batch, as run, submit and status print it."
  )
  static let format = Option<JobStore.StatisticsFormat>(
    "--format",
    "format",
    .choice,
    "csv (the default), with a line of names, or jsonl, an object on each line."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("statistics", "Write a batch's statistics, a row for each photo and plane.")
      .discussion(
        """
        Streams to standard output. The columns are those of the view exported_statistics; the \
        guide Statistics says what each means and how histograms are asked for in SQL.
        """
      )
      .option(batch).option(format).option(CommonOptions.database)
  }

  static func group(_ commands: [CommandSyntax]) -> CommandSyntax {
    CommandSyntax("export", "Write what the database holds to standard output.")
      .subcommands(commands)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let id = BatchID(rawValue: Int64(try arguments.requireValue(batch)))
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let output = program.standardOutput
    // Few large writes instead of one for each row.
    var pending: [UInt8] = []
    try wrappingQueue { () throws(JobStoreError) in
      // A batch that does not exist is an error, one without statistics an empty table.
      _ = try store.batch(id)
      try store.exportStatistics(of: id, as: arguments[format] ?? .csv) { row in
        pending += row
        if pending.count >= 1 << 18 {
          output.write(bytes: pending)
          pending.removeAll(keepingCapacity: true)
        }
        return !output.hasFailed
      }
    }
    output.write(bytes: pending)
    return .success
  }
}
