/// The processor quota of Linux control groups, version 1 and 2.
package struct ControlGroups {
  /// The text of a file, nil where it cannot be read.
  private let readFile: (String) -> String?

  package init(readFile: @escaping (String) -> String?) {
    self.readFile = readFile
  }

  /// The least quota of the process's groups and their ancestors, in processors; nil without one.
  package var processorQuota: Double? {
    guard let memberships = readFile("/proc/self/cgroup") else { return nil }
    var quotas: [Double] = []
    // Lines are `hierarchy:controllers:path`; version 2 has the hierarchy 0 and no controllers.
    for line in memberships.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let path = String(fields[2])
      if fields[0] == "0", fields[1].isEmpty {
        quotas += Self.ancestors(of: path).compactMap { versionTwoQuota("/sys/fs/cgroup" + $0) }
      } else if fields[1].split(separator: ",").contains("cpu") {
        for mount in ["/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu"] {
          quotas += Self.ancestors(of: path).compactMap { versionOneQuota(mount + $0) }
        }
      }
    }
    return quotas.min()
  }

  /// The least memory limit of the process's groups and their ancestors, in bytes; nil without one.
  package var memoryLimit: Int64? {
    guard let memberships = readFile("/proc/self/cgroup") else { return nil }
    var limits: [Int64] = []
    for line in memberships.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let folders = Self.ancestors(of: String(fields[2]))
      if fields[0] == "0", fields[1].isEmpty {
        limits += folders.compactMap { limit("/sys/fs/cgroup\($0)/memory.max") }
      } else if fields[1].split(separator: ",").contains("memory") {
        limits += folders.compactMap { limit("/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes") }
      }
    }
    return limits.min()
  }

  /// A number of bytes; "max", and version 1's huge number for it, are none.
  private func limit(_ path: String) -> Int64? {
    guard let text = readFile(path), let bytes = Int64(Self.firstLine(text)), bytes > 0,
      bytes < 1 << 60
    else { return nil }
    return bytes
  }

  /// A path and those above it, down to the empty one: in a container only the last may exist.
  private static func ancestors(of path: String) -> [String] {
    var parts = path.split(separator: "/")
    var paths: [String] = []
    while !parts.isEmpty, paths.count < 64 {
      paths.append("/" + parts.joined(separator: "/"))
      parts.removeLast()
    }
    return paths + [""]
  }

  /// `cpu.max`: "max 100000" or "150000 100000", in microseconds.
  private func versionTwoQuota(_ folder: String) -> Double? {
    let fields = readFile(folder + "/cpu.max")?.split { $0 == " " || $0 == "\n" }
    guard let fields, fields.count == 2 else { return nil }
    return Self.quota(String(fields[0]), period: String(fields[1]))
  }

  private func versionOneQuota(_ folder: String) -> Double? {
    guard let quota = readFile(folder + "/cpu.cfs_quota_us"),
      let period = readFile(folder + "/cpu.cfs_period_us")
    else { return nil }
    return Self.quota(Self.firstLine(quota), period: Self.firstLine(period))
  }

  private static func quota(_ quota: String, period: String) -> Double? {
    guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0 else {
      return nil  // "max", or -1 in version 1
    }
    return quota / period
  }

  private static func firstLine(_ text: String) -> String {
    String(text.prefix { $0 != "\n" })
  }
}
