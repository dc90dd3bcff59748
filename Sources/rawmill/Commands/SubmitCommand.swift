internal import FileSystem
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill submit`: puts raws into the queue for workers, and does not wait.
enum SubmitCommand: Command {
  static let inputs = Positional(
    "input",
    .path,
    isRepeatable: true,
    "Raws, and folders that are searched for raws."
  )

  static var syntax: CommandSyntax {
    BatchOptions.add(
      to: CommandSyntax("submit", "Put raws into the queue and leave the work to workers.")
        .positional(inputs).option(CommonOptions.recipe).option(PlacementOptions.to)
        .flag(PlacementOptions.replace).option(PlacementOptions.originals)
        .flag(PlacementOptions.deleteOriginals)
    )
    .option(CommonOptions.root).option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let request = try SubmissionRequest(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let submission = try Submission.submit(
      request,
      store,
      policy: .farm,
      events: program.events(arguments)
    )
    for refusal in submission.refusals {
      program.log.error("\(refusal.input): \(refusal.message) [\(refusal.code)]")
    }
    if !arguments[CommonOptions.json] {
      var parts: [String] = []
      if let batch = submission.batch {
        parts.append("batch \(batch): \(Quantity.count(submission.pending.count, "picture"))")
      } else {
        parts.append("nothing to do")
      }
      if submission.doneBefore > 0 { parts.append("\(submission.doneBefore) done before") }
      program.standardOutput.writeLine(parts.joined(separator: ", "))
    }
    return submission.refusals.isEmpty ? .success : .someFailed
  }
}
