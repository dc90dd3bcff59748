internal import Diagnostics
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import Reporting
internal import ServiceRuntime

/// `rawmill status`: how far batches are.
enum StatusCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax(
      "status",
      "Show batches, their progress and failures, hosts set aside, and what runs."
    )
    .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let events = program.events(arguments)
    let batches = try wrappingQueue { () throws(JobStoreError) in try store.batches(limit: 20) }
    let running = try wrappingQueue { () throws(JobStoreError) in try store.running(limit: 100) }
    let asides = try wrappingQueue { () throws(JobStoreError) in try store.setAside() }
    let now = SystemInformation.wallClockNanoseconds / 1_000
    for batch in batches {
      let failures = try wrappingQueue { () throws(JobStoreError) in
        batch.progress.failed > 0 ? try store.failureCounts(of: batch.id) : []
      }
      let counts = failures.map { (key: $0.code.rawValue, value: JSONValue($0.count)) }
      events.emit(
        "batch",
        ["batch": BatchStatus(batch).json.setting("failures", .object(counts))]
      )
      guard !events.isEnabled else { continue }
      let progress = snapshot(of: batch, now: now)
      let status = BatchStatus(batch)
      let line =
        Terminal.isInteractive(1)
        ? ProgressText.bar(progress, width: Terminal.width(1)) : ProgressText.line(progress)
      program.standardOutput.writeLine(
        "batch \(batch.id) \(TerminalText.harmless(batch.name)), \(status.stateText)"
      )
      if let pause = status.pauseText {
        program.standardOutput.writeLine("  \(TerminalText.harmless(pause))")
      }
      program.standardOutput.writeLine("  \(line)")
      if let wait = status.waitText { program.standardOutput.writeLine("  \(wait)") }
      for failure in failures {
        program.standardOutput.writeLine("  \(failure.count) failed: \(failure.code)")
      }
    }
    for aside in asides {
      events.emit("setAside", ["setAside": aside.json])
      if !events.isEnabled { program.standardOutput.writeLine(aside.text(now: now)) }
    }
    for job in running {
      let seconds = max(0, now - job.claimedMicroseconds) / 1_000_000
      events.emit(
        "running",
        [
          "job": .init(job.id.rawValue), "batch": .init(job.batch.rawValue),
          "worker": .init(job.worker.rawValue), "input": .string(job.input.description),
          "seconds": .init(seconds),
        ]
      )
      if !events.isEnabled {
        program.standardOutput.writeLine(
          "running for \(Quantity.clock(seconds)) by worker \(job.worker): "
            + TerminalText.harmless("\(job.input)")
        )
      }
    }
    if batches.isEmpty, !events.isEnabled { program.standardOutput.writeLine("no batches") }
    return .success
  }

  /// The progress since the batch was made.
  private static func snapshot(of batch: Batch, now: Int64) -> ProgressSnapshot {
    let end = batch.finishedMicroseconds ?? now
    let elapsed = Duration.microseconds(max(0, end - batch.createdMicroseconds))
    let seconds = elapsed / .seconds(1)
    let megapixels = Double(batch.progress.pixels) / 1e6
    return ProgressSnapshot(
      done: batch.progress.ended - batch.progress.failed,
      failed: batch.progress.failed,
      total: batch.total,
      megapixels: megapixels,
      elapsed: elapsed,
      picturesPerSecond: seconds > 0 ? Double(batch.progress.ended) / seconds : nil,
      megapixelsPerSecond: seconds > 0 ? megapixels / seconds : nil
    )
  }
}
