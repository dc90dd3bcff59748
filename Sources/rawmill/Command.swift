internal import ServiceRuntime

/// One command of the program.
protocol Command: Sendable {
  /// What it takes, and its name as the last word.
  static var syntax: CommandSyntax { get }
  /// Does it.
  static func run(_ arguments: ParsedArguments, _ program: Program) throws(ProgramError) -> ExitCode
}
