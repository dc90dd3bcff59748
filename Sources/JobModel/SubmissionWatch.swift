/// Finds submissions whose submitter is gone: those whose beat has not changed for a time on the watcher's
/// own monotonic clock.
///
/// Nothing is lost by a wrong verdict: the submitter's next jobs open the batch again.
package struct SubmissionWatch: Sendable {
  /// How long a beat may stand still.
  package let timeToLive: Duration
  private var seen: [BatchID: (beat: Int64, since: Duration)] = [:]

  package init(timeToLive: Duration = .seconds(30)) {
    self.timeToLive = timeToLive
  }

  /// Takes the beats of all open submissions, and gives those that are lost.
  ///
  /// `now` is monotonic time from any origin.
  package mutating func observe(_ beats: [SubmissionBeat], now: Duration) -> [SubmissionBeat] {
    var next: [BatchID: (beat: Int64, since: Duration)] = [:]
    var lost: [SubmissionBeat] = []
    for beat in beats {
      if let old = seen[beat.batch], old.beat == beat.beat {
        next[beat.batch] = old
        if now - old.since >= timeToLive { lost.append(beat) }
      } else {
        next[beat.batch] = (beat.beat, now)
      }
    }
    seen = next
    return lost
  }
}
