internal import Dispatch

/// The counts of all lanes: integers, so that the order in which lanes add theirs does not matter.
// @unchecked: `tables` is touched under `lock` only.
final class LevelCounts: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var tables: [UInt32]

  /// Room for `count` counts of zero.
  init(count: Int) {
    tables = Array(repeating: 0, count: count)
  }

  /// Adds a lane's counts; `lane` is as long as the table.
  func add(_ lane: [UInt32]) {
    lock.wait()
    defer { lock.signal() }
    for index in tables.indices { tables[index] &+= lane[index] }
  }

  /// The sums, once all lanes have ended.
  var sums: [UInt32] {
    lock.wait()
    defer { lock.signal() }
    return tables
  }
}

/// The counts of one lane, added to the whole when the lane ends.
struct LevelCountsLane: ~Copyable {
  var table: [UInt32]
  private let whole: LevelCounts

  init(_ whole: LevelCounts, count: Int) {
    table = Array(repeating: 0, count: count)
    self.whole = whole
  }

  deinit { whole.add(table) }
}
