internal import CLinux
internal import Glibc

/// Facts of the machine and the running process.
package enum SystemInformation {
  /// CPUs that this process may run on, at least 1.
  package static var affinityCount: Int { max(1, Int(rawmill_affinity_count())) }

  /// The largest resident size of this process so far, in bytes; 0 if the kernel does not say.
  package static var peakResidentBytes: Int64 { rawmill_peak_resident_bytes() }

  /// CPU time of all threads of this process so far.
  package static var processCPUTime: Duration {
    .nanoseconds(rawmill_process_cpu_nanoseconds())
  }

  /// A clock that never goes back; its origin means nothing.
  package static var monotonicTime: Duration { .nanoseconds(rawmill_monotonic_nanoseconds()) }

  /// Time of day, in nanoseconds since 1970.
  package static var wallClockNanoseconds: Int64 { rawmill_realtime_nanoseconds() }

  /// The machine's name.
  package static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    // One byte is kept back: a longer name is cut without a terminator.
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// This process.
  package static var processID: Int32 { getpid() }

  /// The file of the running program.
  package static func executablePath() throws(SystemError) -> FilePath {
    try FilePath("/proc/self/exe").resolved()
  }

  /// A variable of the environment.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The permission bits that new files do not get (`umask`), without changing them for a moment.
  package static var fileModeMask: UInt32 {
    // A file of /proc has no size; the line stands within the first few hundred bytes.
    guard let file = try? FileDescriptor.open("/proc/self/status", .read),
      let bytes = try? file.read(count: 4096)
    else { return 0o022 }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("Umask:\t"), let mask = UInt32(text.dropFirst(7), radix: 8) { return mask }
    }
    return 0o022
  }
}
