internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill cancel`: ends a batch's waiting jobs and stops its running ones.
enum CancelCommand: Command {
  /// Waiting jobs are ended for as long as this; the workers end those of a batch of millions.
  private static let patience = Duration.milliseconds(300)

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("cancel", "End the waiting jobs of a batch and stop its running ones.")
      .discussion(
        """
        Running jobs stop at the next heartbeat of their worker, that is within 10 seconds; outputs \
        that are published stay. A cancelled batch does not come back: submit its inputs again, \
        and what is done is skipped.
        """
      )
      .queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let id = try SteeringOptions.batch(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let end = SystemInformation.monotonicTime + patience
    let (before, batch) = try wrappingQueue { () throws(JobStoreError) in
      let before = try store.cancel(id, by: SteeringOptions.actor) {
        SystemInformation.monotonicTime < end
      }
      return (before, try store.batch(id))
    }
    let line =
      switch before {
      case .finished: "batch \(id) is finished: nothing to cancel"
      case .cancelled where batch.remaining == 0: "batch \(id) was cancelled already"
      case .open, .paused, .cancelled:
        "batch \(id) is cancelled: \(text(batch))"
      }
    SteeringOptions.report(
      line,
      "batchCancelled",
      [
        "batch": .init(id.rawValue), "before": .string("\(before)"),
        "done": .init(batch.progress.done), "failed": .init(batch.progress.failed),
        "cancelled": .init(batch.progress.cancelled), "remaining": .init(batch.remaining),
      ],
      arguments,
      program
    )
    return .success
  }

  private static func text(_ batch: Batch) -> String {
    var parts = [
      "\(batch.progress.done) done", "\(batch.progress.cancelled) cancelled",
    ]
    if batch.progress.failed > 0 { parts.append("\(batch.progress.failed) failed") }
    if batch.remaining > 0 { parts.append("\(batch.remaining) end with their workers") }
    return parts.joined(separator: ", ")
  }
}
