import JobModel
import Testing

@Suite
struct JobStateTests {
  /// The whole table: what has an entry changes the state so, everything else has no effect.
  static let table: [JobState: [JobEvent: JobState]] = [
    .ready: [.claim: .running],
    .delayed: [.promote: .ready],
    .running: [
      .complete: .ended(.done), .failFinally: .ended(.failed), .failForNow: .delayed,
      .release: .ready, .rescueFinally: .ended(.failed), .rescueForNow: .delayed,
      .stop: .ended(.cancelled),
    ],
    .ended(.done): [.redo: .ready],
    .ended(.failed): [.redo: .ready],
    .ended(.cancelled): [.redo: .ready],
    .ended(.skipped): [.redo: .ready],
  ]

  /// The same for a job of a cancelled batch: where it would wait, it ends.
  static let cancelledTable: [JobState: [JobEvent: JobState]] = [
    .ready: [.cancel: .ended(.cancelled)],
    .delayed: [.cancel: .ended(.cancelled), .promote: .ended(.cancelled)],
    .running: [
      .complete: .ended(.done), .failFinally: .ended(.failed), .failForNow: .ended(.cancelled),
      .release: .ended(.cancelled), .rescueFinally: .ended(.failed),
      .rescueForNow: .ended(.cancelled), .stop: .ended(.cancelled),
    ],
    .ended(.done): [.redo: .ready],
    .ended(.failed): [.redo: .ready],
    .ended(.cancelled): [.redo: .ready],
    .ended(.skipped): [.redo: .ready],
  ]

  @Test(arguments: JobState.all, JobEvent.all)
  func everyStateAndEvent(_ state: JobState, _ event: JobEvent) {
    #expect(state.after(event, isBatchCancelled: false) == Self.table[state]?[event])
    #expect(state.after(event, isBatchCancelled: true) == Self.cancelledTable[state]?[event])
  }

  @Test
  func aJobIsLiveUntilItHasEnded() {
    for state in JobState.all {
      let hasEnded = if case .ended = state { true } else { false }
      #expect(state.isLive == !hasEnded)
    }
  }
}
