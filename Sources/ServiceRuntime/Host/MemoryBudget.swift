/// How much memory this process's children may use together.
package struct MemoryBudget: Equatable, Sendable {
  /// Bytes of the machine's memory; nil if the kernel does not say.
  package let physical: Int64?
  /// Bytes that control groups allow, nil without a limit.
  package let limit: Int64?

  package init(physical: Int64?, limit: Int64?) {
    self.physical = physical
    self.limit = limit
  }

  /// Nine tenths of the less of both: the rest is for this process, its database and the system.
  package var bytes: Int64? {
    [physical, limit].compactMap { $0 }.min().map { $0 / 10 * 9 }
  }

  /// The budget of this process.
  package static var current: MemoryBudget {
    MemoryBudget(
      physical: physical(KernelFile.read("/proc/meminfo")),
      limit: ControlGroups(readFile: KernelFile.read).memoryLimit
    )
  }

  /// The line `MemTotal: N kB` of `/proc/meminfo`.
  package static func physical(_ text: String?) -> Int64? {
    let line = text?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
    let fields = line?.split(separator: " ") ?? []
    guard fields.count == 3, fields[2] == "kB", let kilobytes = Int64(fields[1]),
      (0..<(1 << 50)).contains(kilobytes)
    else { return nil }
    return kilobytes * 1_024
  }
}
