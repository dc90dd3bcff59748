/// Finds lost workers: those whose beat has not changed for a time on the watcher's own monotonic
/// clock.
///
/// Neither a jump of the database's clock nor one of this host's wall clock can make it bury a
/// worker that lives.
package struct WorkerWatch: Sendable {
  /// How long a beat may stand still.
  package let timeToLive: Duration
  private var seen: [WorkerID: (beat: Int64, since: Duration)] = [:]

  package init(timeToLive: Duration = .seconds(30)) {
    self.timeToLive = timeToLive
  }

  /// Takes the beats of all workers that are not dead, and gives those that are lost.
  ///
  /// `now` is monotonic time from any origin.
  package mutating func observe(_ beats: [WorkerBeat], now: Duration) -> [WorkerBeat] {
    var next: [WorkerID: (beat: Int64, since: Duration)] = [:]
    var lost: [WorkerBeat] = []
    for beat in beats {
      if let old = seen[beat.worker], old.beat == beat.beat {
        next[beat.worker] = old
        if now - old.since >= timeToLive { lost.append(beat) }
      } else {
        next[beat.worker] = (beat.beat, now)
      }
    }
    seen = next
    return lost
  }
}
