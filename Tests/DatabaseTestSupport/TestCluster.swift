internal import EmbeddedPostgres
internal import FileSystem
internal import Glibc
package import PostgresClient
package import Testing

/// The PostgreSQL server of a test process: made on first use, stopped and removed at its end.
package enum TestCluster {
  /// Whether the server's programs are installed.
  package static let isAvailable: Bool = (try? PostgresPrograms.find()) != nil

  /// Why a test was skipped.
  package static let missingComment: Comment =
    "no PostgreSQL server: install the Debian package postgresql, or set RAWMILL_POSTGRES_BIN"

  /// The server's address; every caller gets the same server.
  package static func address() throws -> DatabaseAddress { try started.get() }

  /// The server's address for a role that was made there.
  package static func address(user: String) throws -> DatabaseAddress {
    try DatabaseAddress("\(address().connectionInfo ?? "") user='\(user)'")
  }

  private static let prefix = "rawmill-test-cluster-"
  private static let folder = ClusterFolder(
    root: FilePath("/tmp/\(prefix)\(SystemInformation.processID)")
  )

  private static let started: Result<DatabaseAddress, any Error> = Result {
    removeLeftovers()
    atexit { TestCluster.remove(TestCluster.folder) }
    return try EmbeddedPostgres(folder).start()
  }

  private static func remove(_ folder: ClusterFolder) {
    _ = try? EmbeddedPostgres(folder).stop()
    try? folder.root.removeTree()
  }

  /// Clusters of test processes that were killed.
  private static func removeLeftovers() {
    for entry in (try? FilePath("/tmp").directoryEntries()) ?? [] {
      guard let name = entry.name.exactText, name.hasPrefix(prefix),
        let process = Int32(name.dropFirst(prefix.count)), kill(process, 0) != 0
      else { continue }
      remove(ClusterFolder(root: FilePath("/tmp").appending(entry.name)))
    }
  }
}
