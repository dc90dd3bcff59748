import ServiceRuntime
import Testing

@Suite struct ControlGroupsTests {
  private func quota(_ files: [String: String]) -> Double? {
    ControlGroups(readFile: { files[$0] }).processorQuota
  }

  @Test func readsVersionTwo() {
    #expect(
      quota([
        "/proc/self/cgroup": "0::/a.slice/b\n",
        "/sys/fs/cgroup/a.slice/b/cpu.max": "150000 100000\n",
      ]) == 1.5
    )
  }

  @Test func theTightestAncestorCounts() {
    #expect(
      quota([
        "/proc/self/cgroup": "0::/a/b", "/sys/fs/cgroup/a/b/cpu.max": "400000 100000",
        "/sys/fs/cgroup/a/cpu.max": "200000 100000", "/sys/fs/cgroup/cpu.max": "max 100000",
      ]) == 2
    )
  }

  /// A container sees its own group as the root.
  @Test func containersHaveTheirFilesAtTheRoot() {
    #expect(
      quota(["/proc/self/cgroup": "0::/host/only", "/sys/fs/cgroup/cpu.max": "50000 100000"]) == 0.5
    )
  }

  @Test func readsVersionOne() {
    let groups = "12:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n0::/system"
    #expect(
      quota([
        "/proc/self/cgroup": groups,
        "/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us": "300000\n",
        "/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us": "100000\n",
      ]) == 3
    )
    #expect(
      quota([
        "/proc/self/cgroup": groups, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
        "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
      ]) == nil
    )
  }

  @Test(arguments: ["", "x", "0::/a", "::::\n:\n"])
  func whatIsNotThereIsNoQuota(groups: String) {
    #expect(quota(["/proc/self/cgroup": groups, "/sys/fs/cgroup/a/cpu.max": "x y z"]) == nil)
    #expect(quota([:]) == nil)
  }

  @Test func threadsAreTheTighterOfBoth() {
    #expect(ProcessorBudget(affinity: 8, quota: nil).threadCount == 8)
    #expect(ProcessorBudget(affinity: 8, quota: 1.5).threadCount == 2)
    #expect(ProcessorBudget(affinity: 2, quota: 16).threadCount == 2)
    #expect(ProcessorBudget(affinity: 0, quota: 0.01).threadCount == 1)
    #expect(ProcessorBudget(affinity: 4, quota: 1e300).threadCount == 4)
  }

  @Test func thisProcessHasAtLeastOneThread() {
    #expect(ProcessorBudget.current.threadCount >= 1)
  }
}
