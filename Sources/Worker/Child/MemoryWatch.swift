internal import CLinux
internal import Dispatch
internal import FileSystem
internal import Glibc

/// Kills a child that uses more memory than it is allowed, while it works on one request.
///
/// The child is killed and not refused memory (`RLIMIT_DATA`): libx265 goes on after a failed allocation
/// and writes a picture that is wrong.
final class MemoryWatch: Sendable {
  private struct State {
    var isStopped = false
    var hasExceeded = false
  }

  /// A child fills about a gigabyte a second: this lets it exceed its limit by some 20 MB.
  private static let intervalMicroseconds: UInt32 = 20_000

  private let process: Int32
  private let limit: Int64
  private let state = Locked(State())

  /// Watches a process of this one's until `stop`; `limit` is in bytes.
  static func start(_ process: Int32, limit: Int64) -> MemoryWatch {
    let watch = MemoryWatch(process, limit)
    DispatchQueue(label: "rawmill.memory").async { watch.run() }
    return watch
  }

  private init(_ process: Int32, _ limit: Int64) {
    self.process = process
    self.limit = limit
  }

  /// Ends the watch, and says whether the child was killed; to be called before the child is waited for,
  /// whose number is another's afterwards.
  func stop() -> Bool {
    state.withLock { state in
      state.isStopped = true
      return state.hasExceeded
    }
  }

  private func run() {
    while true {
      let used = Self.privateBytes(of: process)
      let isOver = state.withLock { state in
        if state.isStopped { return true }
        guard let used, used > limit else { return false }
        state.hasExceeded = true
        _ = rawmill_kill(process, SIGKILL)
        return true
      }
      if isOver { return }
      _ = usleep(Self.intervalMicroseconds)
    }
  }

  /// Resident bytes that a process shares with no file: fields 2 less 3 of `/proc/PID/statm`, in pages.
  static func privateBytes(of process: Int32) -> Int64? {
    guard let file = try? FileDescriptor.open(FilePath("/proc/\(process)/statm"), .read),
      let bytes = try? file.read(count: 256)
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 2, let resident = Int64(fields[1]), let shared = Int64(fields[2]) else {
      return nil
    }
    return (resident - shared) * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
