/// What can happen to a job.
package enum JobEvent: Hashable, Sendable {
  /// A worker claims it.
  case claim
  /// The holder of its lease commits its results.
  case complete
  /// The holder of its lease reports a failure that is decided so.
  case failFinally
  case failForNow
  /// The holder of its lease gives it back.
  case release
  /// Its worker is lost, and the decision is so.
  case rescueFinally
  case rescueForNow
  /// Its delay has passed.
  case promote
  /// Its batch is cancelled.
  case cancel
  /// The holder of its lease stops it because its batch is cancelled.
  case stop
  /// The same work is submitted, or asked for, again.
  case redo

  /// Every event.
  package static let all: [JobEvent] = [
    .claim, .complete, .failFinally, .failForNow, .release, .rescueFinally, .rescueForNow, .promote,
    .cancel, .stop, .redo,
  ]
}

extension JobState {
  /// The state after `event`, or nil where the event has no effect in this state.
  ///
  /// The SQL of the protocol does exactly this; a test compares them. A job of a cancelled batch ends
  /// where it would wait again.
  package func after(_ event: JobEvent, isBatchCancelled: Bool) -> JobState? {
    let waiting: (JobState) -> JobState = { isBatchCancelled ? .ended(.cancelled) : $0 }
    return switch (self, event) {
    case (.ready, .claim): isBatchCancelled ? nil : .running
    case (.running, .complete): .ended(.done)
    case (.running, .failFinally), (.running, .rescueFinally): .ended(.failed)
    case (.running, .failForNow), (.running, .rescueForNow): waiting(.delayed)
    case (.running, .release): waiting(.ready)
    case (.running, .stop): .ended(.cancelled)
    case (.delayed, .promote): waiting(.ready)
    case (.ready, .cancel), (.delayed, .cancel): isBatchCancelled ? .ended(.cancelled) : nil
    case (.ended, .redo): .ready
    default: nil
    }
  }
}
