internal import Dispatch

/// The sums of all lanes: integers, so that the order in which lanes add theirs does not matter.
// @unchecked: `sums` is touched under `lock` only.
final class LaneSums<Number: FixedWidthInteger & Sendable>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private let count: Int
  /// Nil until the first lane has ended, whose sums are taken as they are.
  private var sums: [Number]?

  /// Room for `count` sums of zero.
  init(count: Int) {
    self.count = count
  }

  /// The part of one lane, which is added to the whole when it ends.
  struct Lane: ~Copyable {
    var sums: [Number]
    private let whole: LaneSums

    init(_ whole: LaneSums) {
      sums = Array(repeating: 0, count: whole.count)
      self.whole = whole
    }

    deinit { whole.add(sums) }
  }

  /// Adds a lane's sums; `lane` is as long as the whole.
  private func add(_ lane: [Number]) {
    lock.wait()
    defer { lock.signal() }
    guard let earlier = sums else {
      sums = lane
      return
    }
    sums = Self.sum(earlier, lane)
  }

  /// The sums of two lanes.
  // Specialised by hand: from a deinitialiser it would run through witness tables, number by number.
  @_specialize(where Number == UInt32)
  @_specialize(where Number == Int)
  private static func sum(_ left: [Number], _ right: [Number]) -> [Number] {
    var sum = left
    for index in sum.indices { sum[index] &+= right[index] }
    return sum
  }

  /// The sums, once all lanes have ended.
  var values: [Number] {
    lock.wait()
    defer { lock.signal() }
    return sums ?? Array(repeating: 0, count: count)
  }
}
