internal import Diagnostics
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill status`: how far batches are.
enum StatusCommand: Command {
  static let watch = Flag("--watch", "Go on showing progress until no batch is open.")

  static var syntax: CommandSyntax {
    CommandSyntax("status", "Show batches, their progress and failures, and what runs.")
      .flag(watch).option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let events = program.events(arguments)
    if arguments[watch] { try follow(store, events) }
    let batches = try wrappingQueue { () throws(JobStoreError) in try store.batches(limit: 20) }
    let running = try wrappingQueue { () throws(JobStoreError) in try store.running(limit: 100) }
    let now = SystemInformation.wallClockNanoseconds / 1_000
    for batch in batches {
      let failures = try wrappingQueue { () throws(JobStoreError) in
        batch.progress.failed > 0 ? try store.failureCounts(of: batch.id) : []
      }
      let counts = failures.map { (key: $0.code.rawValue, value: JSONValue($0.count)) }
      events.emit("batch", ["batch": json(of: batch, failures: .object(counts))])
      guard !events.isEnabled else { continue }
      let progress = snapshot(of: batch, now: now)
      // The state follows when a worker tidies up; to people a batch is over when its jobs are.
      let isOver = batch.isSealed && batch.remaining == 0 && batch.state == .open
      let state = isOver ? "finished" : "\(batch.state)\(batch.isSealed ? "" : ", being submitted")"
      let line =
        Terminal.isInteractive(1)
        ? ProgressText.bar(progress, width: Terminal.width(1)) : ProgressText.line(progress)
      program.standardOutput.writeLine(
        "batch \(batch.id) \(TerminalText.harmless(batch.name)), \(state)"
      )
      program.standardOutput.writeLine("  \(line)")
      if let wait = batch.waitsFor {
        program.standardOutput.writeLine(
          "  waits for batch \(wait.batch)\(wait.isCancelled ? ", which was cancelled" : "")"
        )
      }
      for failure in failures {
        program.standardOutput.writeLine("  \(failure.count) failed: \(failure.code)")
      }
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
          "running for \(Quantity.clock(seconds)) by worker \(job.worker): \(job.input)"
        )
      }
    }
    if batches.isEmpty, !events.isEnabled { program.standardOutput.writeLine("no batches") }
    return .success
  }

  /// Shows the open batches together until all have ended.
  private static func follow(
    _ store: JobStore,
    _ events: EventStream
  ) throws(ProgramError) {
    let stop = StopSignal.install()
    let begin = SystemInformation.monotonicTime
    let isTerminal = Terminal.isInteractive(2)
    var display = ProgressDisplay(
      isTerminal ? .terminal(columns: Terminal.width(2)) : .plain,
      output: .standardError
    )
    var pictures = RateEstimator()
    var followed: Set<BatchID> = []
    while !stop.isRequested {
      let batches = try wrappingQueue { () throws(JobStoreError) in try store.batches(limit: 100) }
      let open = batches.filter { $0.remaining > 0 && $0.state == .open }
      followed.formUnion(open.map(\.id))
      let shown = batches.filter { followed.contains($0.id) }
      var progress = ProgressSnapshot(
        done: shown.reduce(0) { $0 + $1.progress.ended - $1.progress.failed },
        failed: shown.reduce(0) { $0 + $1.progress.failed },
        total: shown.reduce(0) { $0 + $1.total },
        elapsed: SystemInformation.monotonicTime - begin
      )
      pictures.add(Double(progress.finished), at: progress.elapsed)
      progress.picturesPerSecond = pictures.perSecond
      if open.isEmpty {
        if !followed.isEmpty, !events.isEnabled { display.finish(progress) }
        return
      }
      if !events.isEnabled { display.update(progress) }
      _ = stop.wait(for: .milliseconds(500))
    }
    display.clear()
  }

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

  private static func json(of batch: Batch, failures: JSONValue) -> JSONValue {
    [
      "id": .init(batch.id.rawValue), "name": .string(batch.name), "owner": .string(batch.owner),
      "state": .string("\(batch.state)"), "isSealed": .init(batch.isSealed),
      "total": .init(batch.total), "done": .init(batch.progress.done),
      "failed": .init(batch.progress.failed), "cancelled": .init(batch.progress.cancelled),
      "skipped": .init(batch.progress.skipped), "pixels": .init(batch.progress.pixels),
      "inputBytes": .init(batch.progress.inputBytes),
      "outputBytes": .init(batch.progress.outputBytes), "failures": failures,
      "priority": .init(batch.priority), "weight": JSONValue(batch.weight),
      "maximumRunning": batch.maximumRunning.map { JSONValue($0) } ?? .null,
      "waitsFor": batch.waitsFor.map { JSONValue($0.batch.rawValue) } ?? .null,
    ]
  }
}
