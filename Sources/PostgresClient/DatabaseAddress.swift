/// Where a database is: a connection string or URL as libpq reads it.
///
/// Its description shows no password.
package struct DatabaseAddress: Equatable, Sendable {
  /// May hold a password: never shown.
  let connectionString: String
  /// What `psql` takes to connect; nil for an address that was given, which may hold a password.
  package let connectionInfo: String?

  /// Checks that libpq can read the string.
  package init(_ connectionString: String) throws(PostgresError) {
    if connectionString.utf8.contains(0) {
      throw .invalidConnectionString(reason: "it holds a NUL")
    }
    guard LibPQConnection.isValid(connectionString) else {
      throw .invalidConnectionString(
        reason: "it is neither a URL (postgresql://USER@HOST/DATABASE) nor a list of keyword=value"
      )
    }
    self.connectionString = connectionString
    connectionInfo = nil
  }

  /// A database behind a Unix socket in `socketFolder`, an absolute path.
  package init(socketFolder: String, port: Int = 5432, user: String, database: String) {
    let settings = [
      ("host", socketFolder), ("port", String(port)), ("user", user), ("dbname", database),
    ]
    connectionString = settings.map { "\($0)=\(DatabaseAddress.quoted($1))" }
      .joined(separator: " ")
    connectionInfo = connectionString
  }

  private static func quoted(_ value: String) -> String {
    var text = "'"
    for character in value {
      if character == "'" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text + "'"
  }
}

extension DatabaseAddress: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "a PostgreSQL database" }
  package var debugDescription: String { description }
}
