/// What a worker allows its children, in bytes.
package struct MemoryShare: Equatable, Sendable {
  /// All of its children together.
  package var whole: Int64
  package var slots: Int

  package init(whole: Int64, slots: Int) {
    self.whole = whole
    self.slots = max(1, slots)
  }

  /// A child while all slots work.
  package var slot: Int64 { whole / Int64(slots) }

  /// A child that has the share of so many slots.
  package func bytes(ofSlots count: Int) -> Int64 {
    count >= slots ? whole : slot * Int64(max(1, count))
  }

  /// How many slots' shares a need takes; all at most.
  package func slots(for need: Int64) -> Int {
    guard slot > 0, need > slot else { return 1 }
    let count = (need - 1) / slot + 1
    return count > Int64(slots) ? slots : Int(count)
  }
}
