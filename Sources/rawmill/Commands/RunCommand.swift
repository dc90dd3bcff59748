internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill run`: submits, works with all processors, waits and reports.
enum RunCommand: Command {
  static var syntax: CommandSyntax {
    let syntax = CommandSyntax(
      "run",
      "Render every raw in files and folders, and report what was done."
    )
    .discussion(
      """
      Folders are searched for raws by content, whatever their names. A raw is skipped if its \
      outputs are there already; after an interruption the same command goes on where it was.

      With --replace the recipe's one DNG takes the place of each original, once a fresh decode \
      has proven it: a crash at any point leaves the whole original or the whole new file.

      The command of --on-finish has RAWMILL_BATCH (empty if there was nothing to do), \
      RAWMILL_STATE (finished, failed), RAWMILL_DONE and RAWMILL_FAILED in its environment.
      """
    )
    return BatchOptions.add(
      to: InputOptions.add(to: syntax).option(CommonOptions.recipe)
        .option(PlacementOptions.to).flag(PlacementOptions.replace)
        .option(PlacementOptions.originals).flag(PlacementOptions.deleteOriginals)
    )
    .option(FinishCommand.option).option(CommonOptions.slots).option(CommonOptions.threads)
    .option(CommonOptions.memory).option(CommonOptions.root).option(CommonOptions.digestPolicy)
    .option(CommonOptions.database).option(CommonOptions.metrics).serviceOptions()
    .flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let begin = SystemInformation.monotonicTime
    let source = try DatabaseSource.find(arguments)
    let request = try SubmissionRequest(arguments)
    let store = try source.openQueue(program.log, makesSchema: true).store
    let submission = try Submission.submit(
      request,
      store,
      policy: .interactive,
      events: program.events(arguments)
    )
    var totals = RunTotals()
    totals.doneBefore = submission.doneBefore
    totals.otherFiles = submission.otherFiles
    for refusal in submission.refusals {
      totals.addFailure(refusal.input, refusal.code, refusal.message)
    }
    if !submission.pending.isEmpty {
      // Not before: until here nothing runs that would have to be ended, so a signal may just kill.
      let stop = StopSignal.install()
      var loop = try RunLoop.start(arguments, program, submission, source, store, begin: begin)
      try loop.work(stop)
      try wrappingQueue { () throws(JobStoreError) in
        try loop.watch.addResults(to: &totals, store)
        // The batch is finished now, not when the next worker keeps house: others wait to be told.
        try store.maintain()
      }
    }
    totals.elapsed = SystemInformation.monotonicTime - begin
    let code = report(totals, request, arguments, program)
    // Who stopped it wants nothing more to happen.
    guard totals.unfinished == 0 else { return code }
    return try FinishCommand.run(
      arguments,
      FinishCommand.Outcome(
        batches: submission.batch.map { [$0] } ?? [],
        state: code == .success ? "finished" : totals.failed > 0 ? "failed" : "cancelled",
        done: totals.done,
        failed: totals.failed
      ),
      program,
      otherwise: code
    )
  }

  private static func report(
    _ totals: RunTotals,
    _ request: SubmissionRequest,
    _ arguments: ParsedArguments,
    _ program: Program
  ) -> ExitCode {
    let events = program.events(arguments)
    if events.isEnabled {
      events.emit("finished", ["totals": .object(totals.json)])
    } else {
      let place = request.placeText
      let isIdle = totals.done + totals.failed + totals.unfinished + totals.cancelled == 0
      if isIdle {
        let before = Quantity.count(totals.doneBefore, "picture")
        program.standardOutput.writeLine(
          totals.doneBefore > 0
            ? "nothing to do: \(before) done before\(place.isEmpty ? "" : ", \(place)")"
            : "nothing to do: no raws found"
        )
      } else {
        for line in totals.lines(place: place) {
          program.standardOutput.writeLine(line)
        }
      }
    }
    let isComplete = totals.failed + totals.unfinished + totals.cancelled == 0
    return isComplete ? .success : .someFailed
  }
}
