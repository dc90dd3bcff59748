internal import FileSystem
internal import Glibc

/// What names a process on a host beyond doubt: process ids are given out again.
package struct HostIdentity: Equatable, Sendable {
  package let host: String
  /// The kernel's boot identifier and the process-id namespace: in another container the same number
  /// is another process.
  package let bootID: String

  package init(host: String, bootID: String) {
    self.host = host
    self.bootID = bootID
  }

  /// The identity of this process's host.
  package static var current: HostIdentity {
    let boot = text("/proc/sys/kernel/random/boot_id") ?? "unknown"
    let namespace = linkText("/proc/self/ns/pid") ?? "unknown"
    return HostIdentity(host: SystemInformation.hostName, bootID: "\(boot) \(namespace)")
  }

  /// The start time of a process in clock ticks since boot (field 22 of `/proc/PID/stat`); nil if
  /// there is no such process.
  package static func startTicks(of process: Int32) -> Int64? {
    guard let stat = text(FilePath("/proc/\(process)/stat")),
      // The name of the program stands in parentheses and may hold anything, these included.
      let end = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[end...].split(separator: " ")
    guard fields.count > 20 else { return nil }
    // A zombie has ended; field 3 stands right after the name.
    if fields[1] == "Z" { return nil }
    return Int64(fields[20])
  }

  private static func text(_ path: FilePath) -> String? {
    guard let file = try? FileDescriptor.open(path, .read),
      let bytes = try? file.read(count: 4096), !bytes.isEmpty
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private static func linkText(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(
      decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
  }
}
