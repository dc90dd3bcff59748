package import Diagnostics

/// What can go wrong between rawmill and a PostgreSQL server.
///
/// No case carries a connection string: passwords never reach a text.
package enum PostgresError: Error, Equatable, Sendable {
  /// The connection string can't be read.
  case invalidConnectionString(reason: String)
  /// No server answered, or it refused the connection.
  case connectionFailed(reason: String)
  /// The connection broke while the statement ran; whether it took effect is unknown.
  case connectionLost(statement: String, reason: String)
  /// The server refused the statement.
  case server(ServerError)
  /// A column has another type than the one asked for.
  case columnType(column: String, expected: String, oid: UInt32)
  /// A column is NULL where a value was asked for.
  case unexpectedNull(column: String)
  /// A statement gave another number of rows than it can.
  case rowCount(statement: String, expected: Int, actual: Int)
  /// A parameter or result is larger than the protocol can carry.
  case valueTooLarge(bytes: Int, limit: Int)
  /// The process ran out of memory inside the client library.
  case outOfMemory
}

extension PostgresError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .invalidConnectionString: "invalidConnectionString"
    case .connectionFailed: "databaseConnectionFailed"
    case .connectionLost: "databaseConnectionLost"
    case .server: "databaseStatementFailed"
    case .columnType: "databaseColumnType"
    case .unexpectedNull: "databaseUnexpectedNull"
    case .rowCount: "databaseRowCount"
    case .valueTooLarge: "databaseValueTooLarge"
    case .outOfMemory: "databaseOutOfMemory"
    }
  }

  package var message: String {
    switch self {
    case .invalidConnectionString(let reason):
      "the database connection string can't be read: \(reason)"
    case .connectionFailed(let reason):
      "the database can't be reached: \(reason)"
    case .connectionLost(let statement, let reason):
      "the connection to the database broke during \(statement): \(reason)"
    case .server(let error):
      "the database refused \(error.statement): \(error.message) (SQLSTATE \(error.state.rawValue))"
        + (error.detail.map { "; \($0)" } ?? "")
    case .columnType(let column, let expected, let oid):
      "column \(column) has type OID \(oid), not \(expected)"
    case .unexpectedNull(let column):
      "column \(column) is NULL"
    case .rowCount(let statement, let expected, let actual):
      "\(statement) gave \(actual) rows, not \(expected)"
    case .valueTooLarge(let bytes, let limit):
      "a value of \(bytes) bytes is over the protocol's limit of \(limit) bytes"
    case .outOfMemory:
      "the database client ran out of memory"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .connectionFailed, .connectionLost: .hostFault
    case .server(let error):
      switch error.state.errorClass {
      case "40", "55", "57", "58": .transient
      case "53": .resource
      default: .fatalWorker
      }
    case .valueTooLarge: .permanent
    case .outOfMemory: .resource
    case .invalidConnectionString, .columnType, .unexpectedNull, .rowCount: .fatalWorker
    }
  }
}

extension PostgresError {
  /// The server's code, where the server spoke.
  package var state: SQLState? {
    if case .server(let error) = self { error.state } else { nil }
  }

  /// Whether the connection is of no more use.
  package var isConnectionFailure: Bool {
    switch self {
    case .connectionFailed, .connectionLost: true
    case .server(let error): error.state.errorClass == "08" || error.state.rawValue.hasPrefix("57P")
    default: false
    }
  }
}
