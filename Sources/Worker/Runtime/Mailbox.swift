internal import ServiceRuntime

/// Messages to one thread, from any.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Locked<[Message]>([])
  private let count = MonotonicSemaphore()

  /// Leaves a message.
  func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.signal()
  }

  /// The oldest message; nil if there is none until `timeout` has passed.
  func receive(timeout: Duration) -> Message? {
    guard count.wait(timeout: timeout) else { return nil }
    return messages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
