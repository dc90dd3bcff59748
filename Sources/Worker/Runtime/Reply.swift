internal import Dispatch

/// One answer from one thread to one other.
final class Reply<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  /// Gives the answer; once.
  func send(_ value: Value) {
    self.value.withLock { $0 = value }
    isThere.signal()
  }

  /// Waits for the answer, once.
  ///
  /// Nil never comes from a sender that answers.
  func receive() -> Value? {
    isThere.wait()
    return value.withLock { $0 }
  }
}
