/// Until when this worker may count on its leases, by its own monotonic clock.
///
/// Others give it up when its heartbeat has not changed for the lease length on *their* clock, which
/// started no earlier than the beat was sent. This worker stops a margin before that.
package struct LeaseClock: Sendable {
  package let leaseLength: Duration
  package let margin: Duration
  package private(set) var lastBeat: Duration?

  package init(leaseLength: Duration = .seconds(30), margin: Duration = .seconds(6)) {
    self.leaseLength = leaseLength
    self.margin = margin
  }

  /// A beat that was *sent* at `time` was answered.
  package mutating func beat(sentAt time: Duration) {
    lastBeat = max(time, lastBeat ?? time)
  }

  /// The worker starts a new life: its first beat is its registration.
  package mutating func restart(at time: Duration) {
    lastBeat = time
  }

  /// The last moment at which the leases count; nil before the first beat.
  package var end: Duration? { lastBeat.map { $0 + leaseLength - margin } }

  /// Whether the leases count at `time`.
  package func isValid(at time: Duration) -> Bool {
    guard let end else { return false }
    return time < end
  }
}
