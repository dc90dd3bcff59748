package import Diagnostics
package import FileSystem
package import PostgresClient

/// What can go wrong with the private PostgreSQL cluster.
package enum EmbeddedPostgresError: Error, Equatable, Sendable {
  /// No server programs were found.
  case programsMissing(searched: [String])
  /// The folder has a cluster of a major version of which no server programs are installed.
  case otherMajorVersion(folder: FilePath, found: Int, installed: [Int])
  /// There is a data folder that is no cluster.
  case notACluster(folder: FilePath)
  /// The disk became full while the cluster was created; nothing is left of it.
  case diskFull(folder: FilePath)
  /// A server program failed; its last words.
  case programFailed(program: String, reason: String, output: String)
  /// The server's user can't enter a folder above its own.
  case folderClosed(folder: FilePath, user: String)
  /// A folder belongs to somebody else, who could read the database.
  case folderForeign(folder: FilePath)
  /// No home folder is known, so there is no place for the data.
  case homeMissing
  /// The system has no unprivileged user to run the server.
  case serverUserMissing
  /// The system refused something.
  case system(SystemError)
  /// The server runs and does not answer as it should.
  case postgres(PostgresError)
}

extension EmbeddedPostgresError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .programsMissing: "postgresProgramsMissing"
    case .otherMajorVersion: "postgresOtherMajorVersion"
    case .notACluster: "postgresNotACluster"
    case .diskFull: "postgresDiskFull"
    case .programFailed: "postgresProgramFailed"
    case .folderClosed: "postgresFolderClosed"
    case .folderForeign: "postgresFolderForeign"
    case .homeMissing: "postgresHomeMissing"
    case .serverUserMissing: "postgresServerUserMissing"
    case .system(let error): error.code
    case .postgres(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .programsMissing(let searched):
      "PostgreSQL's server programs were not found in \(searched.joined(separator: ", ")): install "
        + "the Debian package postgresql, or set RAWMILL_POSTGRES_BIN or RAWMILL_DATABASE_URL"
    case .otherMajorVersion(let folder, let found, let installed):
      "\(folder.displayText) is a cluster of PostgreSQL \(found), and installed is "
        + "\(installed.map(String.init).joined(separator: ", ")): install the Debian package "
        + "postgresql-\(found), upgrade the cluster with pg_upgrade, or move the folder away"
    case .notACluster(let folder):
      "\(folder.displayText) is no PostgreSQL cluster: move it away, or set RAWMILL_DATA_DIR"
    case .diskFull(let folder):
      "the disk is full: no database could be created in \(folder.displayText)"
    case .programFailed(let program, let reason, let output):
      "\(program) failed (\(reason))" + (output.isEmpty ? "" : ": \(output)")
    case .folderClosed(let folder, let user):
      "the database server runs as \(user), who can't enter \(folder.displayText): set "
        + "RAWMILL_DATA_DIR to a folder that others may enter"
    case .folderForeign(let folder):
      "\(folder.displayText) belongs to another user or is open to others"
    case .homeMissing: "no home folder is known: set HOME or RAWMILL_DATA_DIR"
    case .serverUserMissing:
      "root can't run PostgreSQL, and there is neither a user postgres nor a user nobody"
    case .system(let error): error.message
    case .postgres(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .diskFull: .resource
    case .system(let error): error.disposition
    case .postgres(let error): error.disposition
    default: .fatalWorker
    }
  }
}

/// Runs `body` with its error as this module's.
@discardableResult
func wrappingSystem<Value>(
  _ body: () throws(SystemError) -> Value
) throws(EmbeddedPostgresError) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(error)
  }
}
