internal import Dispatch

/// The sums of all lanes: integers, so that the order in which lanes add theirs does not matter.
// @unchecked: `sums` is touched under `lock` only.
final class SignalSums: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var sums: [Int]

  /// Room for `count` sums of zero.
  init(count: Int) {
    sums = Array(repeating: 0, count: count)
  }

  /// Adds a lane's sums; `lane` is as long as the whole.
  func add(_ lane: [Int]) {
    lock.wait()
    defer { lock.signal() }
    for index in sums.indices { sums[index] += lane[index] }
  }

  /// The sums, once all lanes have ended.
  var values: [Int] {
    lock.wait()
    defer { lock.signal() }
    return sums
  }
}

/// The sums of one lane, added to the whole when the lane ends.
struct SignalSumsLane: ~Copyable {
  var values: [Int]
  private let whole: SignalSums

  init(_ whole: SignalSums, _ count: Int) {
    values = Array(repeating: 0, count: count)
    self.whole = whole
  }

  deinit { whole.add(values) }
}
