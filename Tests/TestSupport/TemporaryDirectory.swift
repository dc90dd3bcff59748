package import FileSystem
internal import Glibc
internal import Synchronization

/// A folder of a test's own, removed with all that is in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
  package let root: FilePath

  private static let counter = Atomic<Int>(0)

  package init() throws {
    let base = FilePath(SystemInformation.environment("TMPDIR") ?? "/tmp")
    let serial = TemporaryDirectory.counter.add(1, ordering: .relaxed).newValue
    // Unique on the machine while the process lives: its id, a serial, and the clock against leftovers.
    let clock = SystemInformation.wallClockNanoseconds
    let name = "rawmill-test-\(SystemInformation.processID)-\(serial)-\(clock)"
    root = try base.resolved().appending(FilePath(name))
    try root.createDirectory(permissions: 0o700)
  }

  deinit {
    try? root.removeTree()
  }

  /// A path in the folder.
  package func path(_ relative: String) -> FilePath { root.appending(FilePath(relative)) }

  /// Writes a file in the folder, and the folders above it.
  @discardableResult
  package func write(_ bytes: [UInt8], to relative: String) throws -> FilePath {
    let path = path(relative)
    try path.parent.createDirectories()
    let file = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o644))
    try file.truncate(to: 0)
    try file.write(bytes)
    try file.close()
    return path
  }
}
