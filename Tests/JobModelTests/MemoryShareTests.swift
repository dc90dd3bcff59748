import JobModel
import Testing

@Suite
struct MemoryShareTests {
  @Test
  func needsAreCountedInSlots() {
    let share = MemoryShare(whole: 1_000, slots: 3)
    #expect(share.slot == 333)
    #expect([0, 1, 333].map { share.slots(for: $0) } == [1, 1, 1])
    #expect([334, 666].map { share.slots(for: $0) } == [2, 2])
    #expect([667, 999, 1_000, 5_000].map { share.slots(for: $0) } == [3, 3, 3, 3])
    #expect([0, 1, 2, 3, 4].map { share.bytes(ofSlots: $0) } == [333, 333, 666, 1_000, 1_000])
  }

  /// Whatever is needed and is there is given.
  @Test
  func whatTheWorkerHasIsGiven() {
    for whole in [Int64(7), 64, 1_001] {
      for slots in 1...9 {
        let share = MemoryShare(whole: whole, slots: slots)
        for need in 1...whole where share.slot > 0 {
          #expect(share.bytes(ofSlots: share.slots(for: need)) >= need)
        }
      }
    }
  }
}
