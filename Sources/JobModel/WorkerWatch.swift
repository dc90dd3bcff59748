/// Finds lost workers: those whose beat has not changed for a time on the watcher's own monotonic
/// clock.
///
/// Neither a jump of the database's clock nor one of this host's wall clock can make it bury a
/// worker that lives. Only time counts during which the watcher could itself look: one that was cut
/// off, suspended or without a server for an hour starts where it was, for the others may have been
/// in the same boat.
package struct WorkerWatch: Sendable {
  /// How long a beat may stand still.
  package let timeToLive: Duration
  /// Looks that are further apart than this have no time between them that counts.
  package let longestGap: Duration
  private var seen: [WorkerID: (beat: Int64, still: Duration)] = [:]
  private var lastLook: Duration?

  /// The gap is a third of the time by default: ten looks of a worker's maintenance.
  package init(timeToLive: Duration = .seconds(30), longestGap: Duration? = nil) {
    self.timeToLive = timeToLive
    self.longestGap = longestGap ?? timeToLive / 3
  }

  /// Takes the beats of all workers that are not dead, and gives those that are lost.
  ///
  /// `now` is monotonic time from any origin, taken before the beats were read: what was read is no
  /// older then.
  package mutating func observe(_ beats: [WorkerBeat], now: Duration) -> [WorkerBeat] {
    let gap = lastLook.map { now - $0 } ?? .zero
    let counted = gap <= longestGap ? gap : .zero
    lastLook = now
    var next: [WorkerID: (beat: Int64, still: Duration)] = [:]
    var lost: [WorkerBeat] = []
    for beat in beats {
      guard let old = seen[beat.worker], old.beat == beat.beat else {
        next[beat.worker] = (beat.beat, .zero)
        continue
      }
      let still = old.still + counted
      next[beat.worker] = (beat.beat, still)
      if still >= timeToLive { lost.append(beat) }
    }
    seen = next
    return lost
  }
}
