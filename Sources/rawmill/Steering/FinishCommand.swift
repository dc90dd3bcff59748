internal import Diagnostics
internal import FileSystem
internal import JSON
internal import JobModel
internal import ProcessControl
internal import ServiceRuntime

/// The command of `--on-finish`: what is run when a batch, or a whole run, is over.
enum FinishCommand {
  static let option = Option(
    "--on-finish",
    "command",
    .text,
    "Run this in a shell at the end; its exit code, if it is not 0, is passed on."
  )

  /// What it is told by its environment.
  struct Outcome: Sendable {
    /// The batches, in order.
    var batches: [BatchID]
    /// `finished`, `failed` if jobs failed, `cancelled`, or `interrupted`.
    var state: String
    var done: Int
    var failed: Int
  }

  /// Runs the command if there is one, and gives the exit code of the whole call.
  ///
  /// A command that a signal ended counts as 128 and the signal's number, as in a shell.
  static func run(
    _ arguments: ParsedArguments,
    _ outcome: Outcome,
    _ program: Program,
    otherwise code: ExitCode
  ) throws(ProgramError) -> ExitCode {
    guard let command = arguments[option] else { return code }
    var launch = ProgramLaunch("/bin/sh", arguments: ["-c", command])
    launch.environment = [
      "RAWMILL_BATCH": outcome.batches.map(\.description).joined(separator: " "),
      "RAWMILL_STATE": outcome.state,
      "RAWMILL_DONE": String(outcome.done),
      "RAWMILL_FAILED": String(outcome.failed),
    ]
    // The events are a program's to read, and not the command's to write among.
    if arguments[CommonOptions.json] { launch.descriptors = [0, 2, 2] }
    let exit = try wrappingFiles { () throws(SystemError) in
      try RunningProgram.start(launch).wait()
    }
    let events = program.events(arguments)
    events.emit("finishCommandEnded", ["exit": .string("\(exit.reason)")])
    switch exit.reason {
    case .code(0): return code
    case .code(let own):
      program.log.warning("the command of --on-finish ended with \(exit.reason)")
      return ExitCode(rawValue: own)
    case .signal(let signal):
      program.log.warning("the command of --on-finish was ended by \(exit.reason)")
      return ExitCode(rawValue: 128 + signal)
    }
  }
}
