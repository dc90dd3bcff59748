internal import DNGFormat
internal import ServiceRuntime
internal import Worker

/// `rawmill child`: renders for the process that started it; not for people.
enum ChildCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("child", "Render for the worker that started this process.")
      .option(CommonOptions.digestPolicy)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    switch RenderChild.main(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error) {
    case 0: return .success
    case 64: throw .usage(.conflict("A render process is started by a worker only."))
    default: return .internalError
    }
  }
}
