internal import Dispatch

/// The failure of the lowest tile, as lanes report them at the same time.
// @unchecked: `slot` is touched under `lock` only.
final class FailureSlots<Failure: Error>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var slot: (index: Int, error: Failure)?

  func add(_ error: Failure, at index: Int) {
    lock.wait()
    defer { lock.signal() }
    if let slot, slot.index <= index { return }
    slot = (index, error)
  }

  /// The error of the lowest index, if any was added.
  var lowest: Failure? {
    lock.wait()
    defer { lock.signal() }
    return slot?.error
  }
}
