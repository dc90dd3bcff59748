package import JobModel
package import ServiceRuntime

/// A batch on a screen: how far it is and how fast it goes.
package struct BatchStatus: Equatable, Sendable {
  package var batch: Batch
  /// Jobs that ended in a second lately; nil while nobody knows.
  package var jobsPerSecond: Double?

  package init(_ batch: Batch, jobsPerSecond: Double? = nil) {
    self.batch = batch
    self.jobsPerSecond = jobsPerSecond
  }

  /// Whether nothing of it is left to do.
  package var isOver: Bool {
    switch batch.state {
    case .finished: true
    case .open, .paused, .cancelled: batch.isSealed && batch.remaining == 0
    }
  }

  /// The state in words for people, to whom a batch is over when its jobs are.
  package var stateText: String {
    var text =
      isOver && batch.state != .cancelled ? "finished" : "\(batch.state)"
    if !batch.isSealed, batch.state != .finished { text += ", being submitted" }
    return text
  }

  /// That it is paused, by whom and why, as far as that is known; nil where it is not.
  package var pauseText: String? {
    guard batch.state == .paused else { return nil }
    let actor = batch.pausedBy.flatMap { $0.isEmpty ? nil : " by \($0)" } ?? ""
    return "paused" + actor + (batch.pauseReason.map { ": \($0)" } ?? "")
  }

  /// What it waits for; nil where nothing is in its way.
  package var waitText: String? {
    guard let wait = batch.waitsFor, !isOver else { return nil }
    return "waits for batch \(wait.batch)" + (wait.isCancelled ? ", which was cancelled" : "")
  }

  /// The progress as a bar shows it.
  package func progress(elapsed: Duration = .zero) -> ProgressSnapshot {
    ProgressSnapshot(
      done: batch.progress.ended - batch.progress.failed,
      failed: batch.progress.failed,
      total: batch.total,
      elapsed: elapsed,
      picturesPerSecond: batch.state == .open ? jobsPerSecond : nil
    )
  }
}
