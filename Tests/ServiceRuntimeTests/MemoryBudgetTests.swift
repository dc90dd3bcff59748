import ServiceRuntime
import Testing

@Suite struct MemoryBudgetTests {
  private func limit(_ files: [String: String]) -> Int64? {
    ControlGroups { files[$0] }.memoryLimit
  }

  @Test func theTightestGroupCounts() {
    #expect(
      limit([
        "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
        "/sys/fs/cgroup/a/memory.max": "4000\n", "/sys/fs/cgroup/memory.max": "9000",
      ]) == 4_000
    )
    #expect(
      limit([
        "/proc/self/cgroup": "3:cpu:/x\n4:memory:/x",
        "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "70\n",
      ]) == 70
    )
    #expect(limit(["/proc/self/cgroup": "0::/a"]) == nil)
    #expect(limit([:]) == nil)
  }

  @Test func nineTenthsOfTheLessIsTheBudget() {
    #expect(MemoryBudget(physical: 1_000, limit: nil).bytes == 900)
    #expect(MemoryBudget(physical: 1_000, limit: 500).bytes == 450)
    #expect(MemoryBudget(physical: nil, limit: 500).bytes == 450)
    #expect(MemoryBudget(physical: nil, limit: nil).bytes == nil)
    #expect(MemoryBudget.physical("MemTotal:       16 kB\nMemFree: 3 kB") == 16_384)
    for text in ["", "MemTotal: x kB", "MemTotal: 5 MB", "MemTotal: 99999999999999999 kB"] {
      #expect(MemoryBudget.physical(text) == nil)
    }
    #expect((MemoryBudget.current.bytes ?? 0) > 1 << 20)
  }
}
