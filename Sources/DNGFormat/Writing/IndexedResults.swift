internal import Dispatch

/// The results of tile bodies that run at the same time, each at its tile's index.
// @unchecked: `values` is touched under `lock` only.
final class IndexedResults<Value: Sendable>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var values: [Value?]

  init(count: Int) {
    values = [Value?](repeating: nil, count: count)
  }

  func set(_ value: Value, at index: Int) {
    lock.wait()
    defer { lock.signal() }
    values[index] = value
  }

  /// All results in order, once the bodies have ended.
  ///
  /// - Precondition: Each index was set.
  consuming func all() -> [Value] {
    lock.wait()
    defer { lock.signal() }
    let complete = values.compactMap(\.self)
    precondition(complete.count == values.count, "a result for each index")
    return complete
  }
}
