internal import Dispatch

/// Work that may block, on a thread of its own.
///
/// A task would block one of the few threads that all tests share: two of them on a machine with two
/// CPUs are enough for a deadlock.
// @unchecked: `result` is written before the signal and read after the wait.
package final class BackgroundWork<Value: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Value?

  /// Starts the work.
  package init(_ body: @escaping @Sendable () -> Value) {
    // A queue of its own gets a thread of its own, however many are blocked.
    DispatchQueue(label: "rawmill.test.background").async {
      self.result = body()
      self.done.signal()
    }
  }

  /// Waits for the result; for one caller, once.
  package func value() -> Value? {
    done.wait()
    return result
  }
}
