internal import FaultHistory
internal import FileSystem
internal import Synchronization

/// Writes the history while it happens.
final class Recorder: Sendable {
  private let entries = Mutex<[History.Entry]>([])
  private let serial = Serial()

  /// Adds an event that happened now, or at `time`, in nanoseconds.
  func add(_ event: HistoryEvent, at time: Int64? = nil) {
    let now = Int64(SystemInformation.monotonicTime / .nanoseconds(1))
    entries.withLock { $0.append(History.Entry(time: time ?? now, event: event)) }
  }

  /// Begins a fault.
  func inject(_ kind: String, _ target: String, recovers: Bool = true) -> Int64 {
    let fault = serial.next()
    add(.injected(fault: fault, kind: kind, target: target, recovers: recovers))
    return fault
  }

  var faultCount: Int {
    entries.withLock { $0.count { if case .injected = $0.event { true } else { false } } }
  }

  /// All events in the order of time.
  var history: History {
    // Stable: what was added first at one time stays first.
    let sorted = entries.withLock { list in
      list.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    }
    return History(sorted.map(\.element))
  }
}
