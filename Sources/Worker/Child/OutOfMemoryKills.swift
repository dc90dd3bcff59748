internal import FileSystem

/// How many processes the kernel has killed since its start because memory ran out.
///
/// The whole machine's count: a process that died of SIGKILL while it rose is taken to be one of them.
enum OutOfMemoryKills {
  /// The line `oom_kill N` of `/proc/vmstat` (Linux 4.13 and newer); nil where there is none.
  static var count: Int64? {
    guard let file = try? FileDescriptor.open("/proc/vmstat", .read),
      let bytes = try? file.read(count: 1 << 16)
    else { return nil }
    let label = "oom_kill "
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(label) }
    return line.flatMap { Int64($0.dropFirst(label.count)) }
  }

  static func hasRisen(since before: Int64?) -> Bool {
    guard let before, let now = count else { return false }
    return now > before
  }
}
