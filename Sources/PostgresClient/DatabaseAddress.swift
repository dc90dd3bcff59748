/// Where a database is: a connection string or URL as libpq reads it.
///
/// Its description shows no password.
package struct DatabaseAddress: Equatable, Sendable {
  /// May hold a password: never shown.
  let connectionString: String
  /// What `psql` takes to connect; nil for an address that was given, which may hold a password.
  package let connectionInfo: String?
  /// Whether a pooler stands between that lends a server's session for a transaction only.
  package let isPooled: Bool

  /// Checks that libpq can read the string.
  ///
  /// `pooling=transaction`, as a parameter of the URL or as a keyword, is for PgBouncer in transaction
  /// mode: libpq does not see it.
  package init(_ connectionString: String) throws(PostgresError) {
    if connectionString.utf8.contains(0) {
      throw .invalidConnectionString(reason: "it holds a NUL")
    }
    let (connectionString, isPooled) = Self.withoutPooling(connectionString)
    self.isPooled = isPooled
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
    isPooled = false
  }

  /// Takes `pooling=transaction` out of a URL's parameters or of a list of keywords.
  private static func withoutPooling(_ text: String) -> (text: String, isPooled: Bool) {
    let word = "pooling=transaction"
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      guard let mark = text.lastIndex(of: "?") else { return (text, false) }
      let parameters = text[text.index(after: mark)...].split(separator: "&")
      let rest = parameters.filter { $0 != word }
      guard rest.count < parameters.count else { return (text, false) }
      let start = String(text[..<mark])
      return (rest.isEmpty ? start : start + "?" + rest.joined(separator: "&"), true)
    }
    // Words may stand in quotes: only one at the very end, or all of it, is surely a keyword.
    guard text == word || text.hasSuffix(" " + word) else { return (text, false) }
    return (String(text.dropLast(word.count)), true)
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
