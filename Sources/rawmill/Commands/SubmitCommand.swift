internal import FileSystem
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill submit`: puts raws into the queue for workers, and does not wait.
enum SubmitCommand: Command {
  static var syntax: CommandSyntax {
    let syntax = CommandSyntax(
      "submit",
      "Put raws into the queue and leave the work to workers."
    )
    .discussion(
      """
      The same call again, also after a crash half-way, adds what is missing and nothing twice. \
      The guide Steering says what lists may hold.
      """
    )
    return BatchOptions.add(
      to: InputOptions.add(to: syntax).option(CommonOptions.recipe).option(PlacementOptions.to)
        .flag(PlacementOptions.replace).option(PlacementOptions.originals)
        .flag(PlacementOptions.deleteOriginals)
    )
    .option(CommonOptions.root).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let request = try SubmissionRequest(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log, makesSchema: true).store
    let submission = try Submission.submit(
      request,
      store,
      policy: .farm,
      events: program.events(arguments)
    )
    for refusal in submission.refusals {
      program.log.error(refusal.line)
    }
    if !arguments[CommonOptions.json] {
      var parts: [String] = []
      let queued = submission.queuedBefore.values.reduce(0, +)
      let added = submission.pending.count - queued
      if let batch = submission.batch, added > 0 {
        parts.append("batch \(batch): \(Quantity.count(added, "picture"))")
      } else {
        parts.append("nothing to do")
      }
      if queued > 0 {
        let batches = submission.queuedBefore.keys.sorted().map(\.description)
        parts.append("\(queued) in batch \(batches.joined(separator: ", ")) already")
      }
      if submission.doneBefore > 0 { parts.append("\(submission.doneBefore) done before") }
      program.standardOutput.writeLine(parts.joined(separator: ", "))
    }
    return submission.refusals.isEmpty ? .success : .someFailed
  }
}
