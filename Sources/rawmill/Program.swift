internal import Diagnostics
internal import FileSystem
internal import Glibc
internal import JSON
internal import Rendering
internal import ServiceRuntime

/// The command-line program: its commands, and how it speaks.
struct Program: Sendable {
  let standardOutput: TextOutput
  private(set) var log: Log

  init(output: TextOutput = .standardOutput, errorOutput: TextOutput = .standardError) {
    standardOutput = output
    log = Log(output: errorOutput, isJournal: JournalStream.isStandardError)
    self.errorOutput = errorOutput
  }

  private let errorOutput: TextOutput

  /// The commands by the words that call them.
  private static let commands: [[String]: any Command.Type] = [
    ["child"]: ChildCommand.self,
    ["develop"]: DevelopCommand.self,
    ["inspect"]: InspectCommand.self,
    ["verify"]: VerifyCommand.self,
    ["histogram"]: HistogramCommand.self,
    ["export", "statistics"]: ExportStatisticsCommand.self,
    ["recipe", "explain"]: RecipeExplainCommand.self,
    ["recipe", "check"]: RecipeCheckCommand.self,
    ["recipe", "schema"]: RecipeSchemaCommand.self,
    ["sample"]: SampleCommand.self,
    ["run"]: RunCommand.self,
    ["submit"]: SubmitCommand.self,
    ["worker"]: WorkerCommand.self,
    ["status"]: StatusCommand.self,
    ["watch"]: WatchCommand.self,
    ["report"]: ReportCommand.self,
    ["provenance"]: ProvenanceCommand.self,
    ["errors"]: ErrorsCommand.self,
    ["retry"]: RetryCommand.self,
    ["cancel"]: CancelCommand.self,
    ["pause"]: PauseCommand.self,
    ["resume"]: ResumeCommand.self,
    ["priority"]: PriorityCommand.self,
    ["weight"]: WeightCommand.self,
    ["cap"]: CapCommand.self,
    ["drain"]: DrainCommand.self,
    ["notify"]: NotifyCommand.self,
    ["metrics"]: MetricsCommand.self,
    ["doctor"]: DoctorCommand.self,
    ["audit"]: AuditCommand.self,
    ["restore"]: RestoreCommand.self,
    ["estimate"]: EstimateCommand.self,
    ["database", "start"]: DatabaseStartCommand.self,
    ["database", "stop"]: DatabaseStopCommand.self,
    ["database", "status"]: DatabaseStatusCommand.self,
    ["database", "migrate"]: DatabaseMigrateCommand.self,
    ["database", "grant"]: DatabaseGrantCommand.self,
    ["database", "prune"]: DatabasePruneCommand.self,
    ["database", "delete-batch"]: DatabaseDeleteBatchCommand.self,
    ["host", "list"]: HostListCommand.self,
    ["host", "allow"]: HostAllowCommand.self,
    ["host", "set-aside"]: HostSetAsideCommand.self,
  ]

  static var syntax: CommandSyntax {
    CommandSyntax(
      "rawmill",
      "A batch farm for camera raws: DNG to HEIC and TIFF, through a queue in PostgreSQL."
    )
    .discussion(
      """
      Start with 'rawmill run INPUT... --to FOLDER': it takes every raw in the inputs, renders them \
      with all processors and reports what was done. Without a database of your own it keeps one in \
      your data directory.

      Exit codes: 0 all done; 1 some pictures failed; 64 the call or the recipe is wrong; 69 the \
      database cannot be reached; 70 an internal error; 74 standard output was cut short; 78 the \
      database's schema is of another version.
      """
    )
    .subcommands([
      RunCommand.syntax,
      DevelopCommand.syntax,
      InspectCommand.syntax,
      HistogramCommand.syntax,
      VerifyCommand.syntax,
      RecipeCheckCommand.group([
        RecipeCheckCommand.syntax, RecipeSchemaCommand.syntax, RecipeExplainCommand.syntax,
      ]),
      EstimateCommand.syntax,
      AuditCommand.syntax,
      RestoreCommand.syntax,
      SubmitCommand.syntax,
      WorkerCommand.syntax,
      StatusCommand.syntax,
      WatchCommand.syntax,
      ErrorsCommand.syntax,
      ReportCommand.syntax,
      ProvenanceCommand.syntax,
      RetryCommand.syntax,
      CancelCommand.syntax,
      PauseCommand.syntax,
      ResumeCommand.syntax,
      PriorityCommand.syntax,
      WeightCommand.syntax,
      CapCommand.syntax,
      DrainCommand.syntax,
      NotifyCommand.syntax,
      MetricsCommand.syntax,
      DoctorCommand.syntax,
      ExportStatisticsCommand.group([ExportStatisticsCommand.syntax]),
      HostListCommand.group([
        HostListCommand.syntax, HostAllowCommand.syntax, HostSetAsideCommand.syntax,
      ]),
      DatabaseStartCommand.group([
        DatabaseStartCommand.syntax, DatabaseStopCommand.syntax, DatabaseStatusCommand.syntax,
        DatabaseMigrateCommand.syntax, DatabaseGrantCommand.syntax, DatabasePruneCommand.syntax,
        DatabaseDeleteBatchCommand.syntax,
      ]),
      SampleCommand.syntax,
      ChildCommand.syntax.hidden(),
    ])
  }

  /// Does what the arguments of a call ask for.
  func run(_ arguments: [[UInt8]]) -> ExitCode {
    let parser = ArgumentParser(Self.syntax)
    do throws(ArgumentParser.Failure) {
      switch try parser.parse(arguments) {
      case .help(let words):
        standardOutput.write(help(words, parser).full)
        return finish(.success)
      case .version:
        standardOutput.writeLine(
          "rawmill \(EngineInformation.version) (\(EngineInformation.sourceRevision))"
        )
        return finish(.success)
      case .command(let arguments): return run(arguments, parser)
      }
    } catch {
      errorOutput.write(help(error.command, parser).failure(error.error))
      return .usage
    }
  }

  private func run(_ arguments: ParsedArguments, _ parser: ArgumentParser) -> ExitCode {
    guard let command = Self.commands[arguments.command] else {
      log.error("'\(arguments.command.joined(separator: " "))' has no code")
      return .internalError
    }
    var program = self
    if let format = arguments[CommonOptions.logFormat] { program.log.format = format }
    if let level = arguments[CommonOptions.logLevel] { program.log.level = level }
    let log = program.log
    do throws(ProgramError) {
      return program.finish(try command.run(arguments, program))
    } catch {
      if case .usage(let usage) = error {
        errorOutput.write(help(arguments.command, parser).failure(usage))
      } else {
        log.write(
          .error,
          "error",
          error.lines.joined(separator: "\n"),
          ["code": .string(error.code.rawValue)]
        )
      }
      if arguments[CommonOptions.json] {
        events(arguments).emit(
          "error",
          [
            "code": .string(error.code.rawValue),
            "message": .string(error.lines.joined(separator: "\n")),
          ]
        )
      }
      return error.exitCode
    }
  }

  /// The end of a command that ended with `code`: what it wrote must have arrived.
  ///
  /// Whoever closed the pipe wants no more, and needs no word about it; a full disk is an error.
  private func finish(_ code: ExitCode) -> ExitCode {
    guard let failure = standardOutput.finish() else { return code }
    let error = ProgramError.output(failure)
    if failure.errorNumber != EPIPE {
      log.write(
        .error,
        "error",
        error.lines.joined(separator: "\n"),
        ["code": .string(error.code.rawValue)]
      )
    }
    return code == .success ? error.exitCode : code
  }

  private func help(_ words: [String], _ parser: ArgumentParser) -> HelpText {
    HelpText(parser.syntax(of: words) ?? parser.root, call: ["rawmill"] + words)
  }

  /// The events of a command, silent unless `--json` was given.
  func events(_ arguments: ParsedArguments) -> EventStream {
    EventStream(output: arguments[CommonOptions.json] ? standardOutput : nil)
  }
}
