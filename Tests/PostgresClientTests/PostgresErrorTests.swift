import Diagnostics
import PostgresClient
import Testing

@Suite
struct PostgresErrorTests {
  static func server(_ state: SQLState) -> PostgresError {
    .server(ServerError(state: state, message: "m", statement: "s"))
  }

  static let table: [(PostgresError, String, Disposition)] = [
    (.invalidConnectionString(reason: "r"), "invalidConnectionString", .fatalWorker),
    (.connectionFailed(reason: "r"), "databaseConnectionFailed", .hostFault),
    (.connectionLost(statement: "s", reason: "r"), "databaseConnectionLost", .hostFault),
    (server(.serializationFailure), "databaseStatementFailed", .transient),
    (server(.lockNotAvailable), "databaseStatementFailed", .transient),
    (server(.queryCanceled), "databaseStatementFailed", .transient),
    (server("58030"), "databaseStatementFailed", .transient),
    (server("53100"), "databaseStatementFailed", .resource),
    (server(.uniqueViolation), "databaseStatementFailed", .fatalWorker),
    (.columnType(column: "c", expected: "text", oid: 1), "databaseColumnType", .fatalWorker),
    (.unexpectedNull(column: "c"), "databaseUnexpectedNull", .fatalWorker),
    (.rowCount(statement: "s", expected: 1, actual: 2), "databaseRowCount", .fatalWorker),
    (.valueTooLarge(bytes: 2, limit: 1), "databaseValueTooLarge", .permanent),
    (.outOfMemory, "databaseOutOfMemory", .resource),
  ]

  @Test(arguments: table)
  func slugAndDisposition(
    _ error: PostgresError,
    _ code: String,
    _ disposition: Disposition
  ) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }

  @Test
  func whatMayBeRunAgain() {
    #expect(SQLState.serializationFailure.isRetryable)
    #expect(SQLState.deadlockDetected.isRetryable)
    #expect(SQLState.lockNotAvailable.isRetryable)
    #expect(!SQLState.queryCanceled.isRetryable)
    #expect(!SQLState.uniqueViolation.isRetryable)
  }

  @Test
  func aPasswordIsNeverShown() throws {
    let address = try DatabaseAddress("postgresql://me:hunter2@db.invalid/x")
    #expect(address.connectionInfo == nil)
    let socket = DatabaseAddress(socketFolder: "/a 'b'", user: "u", database: "d")
    #expect(socket.connectionInfo == #"host='/a \'b\'' port='5432' user='u' dbname='d'"#)
    #expect(!"\(address)".contains("hunter2"))
    #expect(!String(reflecting: address).contains("hunter2"))
    for text in ["postgresql://me:hunter2@host:port:x/%zz", "password='hunter2", "a\u{0}b"] {
      let error = #expect(throws: PostgresError.self) { try DatabaseAddress(text) }
      #expect(error?.code == "invalidConnectionString")
      #expect(error?.message.contains("hunter2") == false)
    }
  }

  @Test
  func quoting() {
    #expect(quotedIdentifier("a\"b") == "\"a\"\"b\"")
    #expect(quotedLiteral("it's") == "'it''s'")
    #expect(quotedLiteral("a\\'b") == "E'a\\\\''b'")
  }
}
