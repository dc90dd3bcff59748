import JobModel
import Testing

@Suite
struct MemoryNeedTests {
  @Test
  func memoryDoublesUpToWhatTheFarmHas() {
    let gigabyte: Int64 = 1 << 30
    #expect(MemoryNeed.next(after: gigabyte, most: 8 * gigabyte) == 2 * gigabyte)
    #expect(MemoryNeed.next(after: 5 * gigabyte, most: 8 * gigabyte) == 8 * gigabyte)
    #expect(MemoryNeed.next(after: 8 * gigabyte, most: 8 * gigabyte) == nil)
    #expect(MemoryNeed.next(after: 9 * gigabyte, most: 8 * gigabyte) == nil)
    #expect(MemoryNeed.next(after: .max - 1, most: .max) == .max)
  }
}
