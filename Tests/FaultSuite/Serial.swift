internal import Synchronization

/// Numbers from 1, each once.
final class Serial: Sendable {
  private let value = Atomic<Int64>(0)

  func next() -> Int64 { value.add(1, ordering: .relaxed).newValue }
}
