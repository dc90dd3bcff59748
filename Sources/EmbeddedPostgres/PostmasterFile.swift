internal import FileSystem
internal import Glibc

/// `postmaster.pid`: what a running server says of itself (`miscadmin.h` of PostgreSQL).
struct PostmasterFile: Equatable, Sendable {
  let processID: Int32
  /// Where the server takes connections; nil until it does.
  let endpoint: Endpoint?

  struct Endpoint: Equatable, Sendable {
    let port: Int
    let socketFolder: FilePath
  }

  /// Reads the file's text; nil if not even the process identifier is there.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let processID = Int32(first), processID > 0 else { return nil }
    self.processID = processID
    // The last line is padded with spaces, so that it can be written over in place.
    if lines.count >= 8, lines[7].prefix(while: { $0 != " " }) == "ready", let port = Int(lines[3]),
      !lines[4].isEmpty
    {
      endpoint = Endpoint(port: port, socketFolder: FilePath(String(lines[4])))
    } else {
      endpoint = nil
    }
  }

  /// Reads the file of a cluster; nil if there is none, or it is empty.
  static func read(_ folder: ClusterFolder) throws(EmbeddedPostgresError) -> PostmasterFile? {
    do throws(SystemError) {
      let bytes = try folder.postmasterFile.readAll(limit: 1 << 16)
      return PostmasterFile(String(decoding: bytes, as: UTF8.self))
    } catch {
      if error.errorNumber == ENOENT || error.errorNumber == ENOTDIR { return nil }
      throw .system(error)
    }
  }

  /// Whether a process is a server of this cluster: a `postgres` whose working directory is its data
  /// folder.
  ///
  /// The number alone proves nothing: after a restart of the machine another process may have it.
  static func isServer(_ processID: Int32, of folder: ClusterFolder) -> Bool {
    let process = FilePath("/proc/\(processID)")
    do throws(SystemError) {
      let working = try process.appending("cwd").resolved()
      let name = try FileDescriptor.open(process.appending("comm"), .read).read(count: 64)
      return try working == folder.data.resolved() && name == Array("postgres\n".utf8)
    } catch {
      return false
    }
  }
}
