internal import DNGFormat
internal import Diagnostics
internal import FileSystem
internal import JSON
internal import ServiceRuntime
internal import Worker

/// `rawmill inspect`: what files are.
enum InspectCommand: Command {
  static let inputs = Positional("input", .path, isRepeatable: true, "Files, raws or not.")
  static let digest = Flag(
    "--digest",
    "Decode the raw and print the SHA-256 of its stored samples too."
  )
  static let json = Flag("--json", "Print one JSON object for each file, one a line.")

  static var syntax: CommandSyntax {
    CommandSyntax("inspect", "Say what files are, in the terms of the DNG specification.")
      .positional(inputs).flag(digest).option(CommonOptions.digestPolicy).flag(json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let oneShot = Interruption.stopping(
      OneShot(launch: ChildLaunch(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error))
    )
    var exitCode = ExitCode.success
    for (index, path) in arguments.all(inputs).enumerated() {
      do throws(WorkerError) {
        let value = try oneShot.inspect(path, computesDigest: arguments[digest])
        if arguments[json] {
          let object: JSONValue = ["path": .init(path)]
          let members = value.objectValue ?? []
          program.standardOutput.writeLine(
            JSONValue.object((object.objectValue ?? []) + members).text()
          )
        } else {
          if index > 0 { program.standardOutput.writeLine("") }
          program.standardOutput.writeLine("\(path)")
          for line in OutlineText.lines(of: value, indent: 2) {
            program.standardOutput.writeLine(line)
          }
        }
      } catch {
        exitCode = .someFailed
        for line in ProgramError.picture(path, error).lines { program.log.error(line) }
        if arguments[json] {
          let object: JSONValue = [
            "path": .init(path),
            "error": ["code": .string(error.code.rawValue), "message": .string(error.message)],
          ]
          program.standardOutput.writeLine(object.text())
        }
        if case .interrupted = error { return exitCode }
      }
    }
    return exitCode
  }
}
