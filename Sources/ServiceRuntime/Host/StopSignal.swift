internal import CLinux
internal import Dispatch
internal import Synchronization

/// Asks a service to stop: on SIGTERM or SIGINT, or when told to.
///
/// The first request means "finish or give back what is at hand", the second "at once". Code that
/// computes asks `isRequested`; code that waits reads `requests`.
package final class StopSignal: Sendable {
  /// The number of each request, 1 for the first; ends never.
  package let requests: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation
  private let requestCount = Atomic<Int>(0)
  /// Signalled when a stop is asked for.
  private let requested = MonotonicSemaphore()

  package init() {
    (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
  }

  /// A stop signal that SIGTERM and SIGINT raise from now on, instead of ending the process.
  ///
  /// The default signals are SIGTERM (15) and SIGINT (2), on every Linux. To be called once in a process. Child programs get the default behaviour back: the launcher
  /// resets it.
  package static func install(_ signals: [Int32] = [15, 2]) -> StopSignal {
    let stop = StopSignal()
    let descriptors = signals.map { rawmill_count_signal($0) }
    guard let descriptor = descriptors.first(where: { $0 >= 0 }) else { return stop }
    // One thread of its own, which sleeps in the kernel between signals: no thread of a pool is
    // taken, and a busy pool does not delay the stop.
    let thread = DispatchQueue(label: "rawmill.stop-signal", autoreleaseFrequency: .workItem)
    thread.async {
      while true {
        let count = rawmill_read_signal_count(descriptor)
        if count == 0 { return }
        for _ in 0..<min(count, 8) { stop.request() }
      }
    }
    return stop
  }

  package var isRequested: Bool {
    requestCount.load(ordering: .acquiring) > 0
  }

  /// Whether a second request came: stop without finishing.
  package var isUrgent: Bool {
    requestCount.load(ordering: .acquiring) > 1
  }

  /// Waits a while, or until a stop is asked for; says whether it was.
  package func wait(for duration: Duration) -> Bool {
    if isRequested { return true }
    if requested.wait(timeout: duration) {
      requested.signal()  // for the next who waits
    }
    return isRequested
  }

  /// Asks for the stop, once more if it was asked for before.
  package func request() {
    let (_, count) = requestCount.add(1, ordering: .acquiringAndReleasing)
    continuation.yield(count)
    if count == 1 { requested.signal() }
  }
}
