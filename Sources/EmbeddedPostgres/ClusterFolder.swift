package import FileSystem
internal import Glibc

/// Where the files of the private cluster are.
package struct ClusterFolder: Equatable, Sendable {
  /// rawmill's data folder.
  package let root: FilePath

  /// A cluster below `root`, an absolute path.
  package init(root: FilePath) {
    self.root = root
  }

  /// `RAWMILL_DATA_DIR`; else `/var/lib/rawmill` for root, whose home is closed to the server's user;
  /// else `$XDG_DATA_HOME/rawmill`; else `~/.local/share/rawmill`.
  package static func standard() throws(EmbeddedPostgresError) -> ClusterFolder {
    let path: FilePath
    if let folder = variable("RAWMILL_DATA_DIR") {
      path = folder
    } else if geteuid() == 0 {
      path = "/var/lib/rawmill"
    } else if let folder = variable("XDG_DATA_HOME"), folder.isAbsolute {
      path = folder.appending("rawmill")
    } else if let home = variable("HOME"), home.isAbsolute {
      path = home.appending(".local/share/rawmill")
    } else {
      throw .homeMissing
    }
    return ClusterFolder(root: try wrappingSystem { () throws(SystemError) in try path.absolute() })
  }

  private static func variable(_ name: String) -> FilePath? {
    guard let value = SystemInformation.environment(name), !value.isEmpty else { return nil }
    return FilePath(value)
  }

  /// The server's own folder; nobody else enters it.
  var server: FilePath { root.appending("database") }
  /// Held while the cluster is created, started or stopped.
  var lock: FilePath { root.appending("database.lock") }
  /// `PGDATA`.
  var data: FilePath { server.appending("data") }
  /// `PGDATA` until it is complete.
  var newData: FilePath { server.appending("data.new") }
  var log: FilePath { server.appending("server.log") }
  /// Exists once rawmill's database has been made.
  var ready: FilePath { server.appending("database.ready") }
  var postmasterFile: FilePath { data.appending("postmaster.pid") }

  /// `sun_path` of a Unix socket holds 108 bytes, the last a NUL.
  static let socketPathLimit = 107
  static let port = 5432

  /// The folder of the server's socket: in the server's folder, or, if its path is too long for a
  /// socket, a folder in `/tmp` that is named by user and path.
  func socketFolder(user: UInt32) -> FilePath {
    let inside = server.appending("socket")
    if ClusterFolder.isShortEnough(inside) { return inside }
    return FilePath("/tmp/rawmill-\(user)-\(ClusterFolder.shortHash(root.bytes))")
  }

  static func isShortEnough(_ folder: FilePath) -> Bool {
    folder.appending(FilePath(".s.PGSQL.\(port)")).bytes.count <= socketPathLimit
  }

  /// FNV-1a, 64 bit, as hexadecimal digits: a name that is the same for every process.
  private static func shortHash(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
