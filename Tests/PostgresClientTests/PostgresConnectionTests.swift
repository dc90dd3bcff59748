import DatabaseTestSupport
import Diagnostics
import Glibc
import PostgresClient
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct PostgresConnectionTests {
  private func open(_ settings: SessionSettings? = nil) throws -> PostgresConnection {
    try PostgresConnection.open(
      TestCluster.address(),
      settings ?? SessionSettings(applicationName: "test")
    )
  }

  @Test
  func everyParameterTypeComesBack() throws {
    let connection = try open()
    let statement = SQLStatement(
      "echo",
      """
      SELECT $1::boolean, $2::smallint, $3::int, $4::bigint, $5::double precision, $6::text,
        $7::bytea, $8::uuid, $9::jsonb, $10::text, $11::boolean[], $12::smallint[], $13::int[],
        $14::bigint[], $15::double precision[], $16::text[], $17::bytea[], $18::uuid[], $19::jsonb[]
      """
    )
    let uuid = UUIDValue(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
    let row = try connection.query(
      statement,
      [
        .bool(true), .int16(-2), .int32(.min), .int64(.max), .double(-0.5), .text("Ünï"),
        .bytes([0, 255, 10]), .uuid(uuid), .jsonb("{\"a\": 1}"), .null(.text),
        .boolArray([true, nil]), .int16Array([1, 2]), .int32Array([3, -4]), .int64Array([.min]),
        .doubleArray([1.5]), .textArray(["x", ""]), .bytesArray([[], [1, 2]]), .uuidArray([uuid]),
        .jsonbArray(["[1]"]),
      ]
    )[0]
    #expect(try row.bool(0))
    #expect(try row.int64(1) == -2)
    #expect(try row.int64(2) == Int64(Int32.min))
    #expect(try row.int64(3) == .max)
    #expect(try row.double(4) == -0.5)
    #expect(try row.text(5) == "Ünï")
    #expect(try row.bytes(6) == [0, 255, 10])
    #expect(try row.uuid(7) == uuid)
    #expect(try row.json(8) == "{\"a\": 1}")
    #expect(try row.optionalText(9) == nil)
    #expect(try row.int64Array(11) == [1, 2])
    #expect(try row.int64Array(12) == [3, -4])
    #expect(try row.int64Array(13) == [.min])
    #expect(try row.textArray(15) == ["x", ""])
    #expect(try row.bytesArray(16) == [[], [1, 2]])
    // Once more with the prepared statement, and empty arrays.
    let again = try connection.query(
      SQLStatement("empty", "SELECT $1::bigint[], $2::bytea, $3::text"),
      [.int64Array([]), .bytes([]), .text("")]
    )[0]
    #expect(try again.int64Array(0) == [])
    #expect(try again.bytes(1) == [])
    #expect(try again.text(2) == "")
  }

  @Test
  func aWrongTypeOrNullIsAnErrorThatNamesTheColumn() throws {
    let connection = try open()
    let row = try connection.queryOnce("SELECT 1 AS one, NULL::text AS nothing", named: "t")[0]
    #expect(throws: PostgresError.columnType(column: "one", expected: "text", oid: 23)) {
      try row.text(0)
    }
    #expect(throws: PostgresError.unexpectedNull(column: "nothing")) { try row.text(1) }
  }

  @Test
  func timesAreMicrosecondsSince1970() throws {
    let row = try open().queryOnce("SELECT to_timestamp(1.5)", named: "t")[0]
    #expect(try row.timestamp(0) == 1_500_000)
  }

  @Test
  func aStatementThatFailsSaysItsState() throws {
    let connection = try open()
    let error = #expect(throws: PostgresError.self) {
      try connection.queryOnce("SELECT 1/0", named: "division")
    }
    #expect(error?.state == "22012")
    #expect(error?.message.contains("division") == true)
    // The session goes on.
    #expect(try connection.queryOnce("SELECT 7", named: "t")[0].int(0) == 7)
  }

  @Test
  func copyTakesRowsOfAnyBytes() throws {
    let connection = try open()
    try connection.execute("CREATE TEMP TABLE t (n int, p bytea, s text)", named: "t")
    let copy = SQLStatement("copy", "COPY t FROM STDIN (FORMAT binary)")
    let count = try connection.copyIn(copy, rows: 20_000) { index in
      [.int32(Int32(index)), .bytes([UInt8(truncatingIfNeeded: index), 0]), .null(.text)]
    }
    #expect(count == 20_000)
    let row = try connection.queryOnce(
      "SELECT count(*), sum(n), sum(get_byte(p, 0)) FROM t WHERE s IS NULL",
      named: "t"
    )[0]
    #expect(try row.int(0) == 20_000)
    #expect(try row.int(1) == 199_990_000)
    // A row that can't be made ends the COPY, and the session goes on.
    #expect(throws: PostgresError.outOfMemory) {
      try connection.copyIn(copy, rows: 10) { (index) throws(PostgresError) in
        if index == 5 { throw .outOfMemory }
        return [.int32(0), .bytes([]), .null(.text)]
      }
    }
    // So does one that the server refuses.
    let error = #expect(throws: PostgresError.self) {
      try connection.copyIn(copy, rows: 1) { _ in [.text("no"), .bytes([])] }
    }
    #expect(error?.state?.errorClass == "22")
    #expect(try connection.queryOnce("SELECT count(*) FROM t", named: "t")[0].int(0) == 20_000)
  }

  @Test
  func aTransactionIsAllOrNothing() throws {
    let connection = try open()
    try connection.execute("CREATE TEMP TABLE t (n int UNIQUE)", named: "t")
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { (connection) throws(PostgresError) in
        try connection.execute("INSERT INTO t VALUES (1)", named: "i")
        try connection.execute("INSERT INTO t VALUES (1)", named: "i")
      }
    }
    #expect(error?.state == .uniqueViolation)
    #expect(!connection.isInTransaction)
    #expect(try connection.queryOnce("SELECT count(*) FROM t", named: "t")[0].int(0) == 0)
  }

  @Test
  func aDeadlockIsRunAgain() throws {
    let connection = try open()
    var runs = 0
    var pauses: [Int] = []
    func pause(_ attempt: Int) { pauses.append(attempt) }
    let value = try connection.retryingTransaction(attempts: 3, pause: pause) {
      (connection) throws(PostgresError) in
      runs += 1
      if runs < 3 {
        try connection.execute(
          "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40P01'; END $$",
          named: "deadlock"
        )
      }
      return try connection.queryOnce("SELECT 5", named: "t")[0].int(0)
    }
    #expect(value == 5)
    #expect(runs == 3)
    #expect(pauses == [1, 2])
  }

  @Test
  func timeoutsAreTheSessions() throws {
    let connection = try open(
      SessionSettings(applicationName: "test", statementTimeoutMilliseconds: 50)
    )
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT pg_sleep(5)", named: "sleep")
    }
    #expect(error?.state == .queryCanceled)
  }

  @Test
  func aLostConnectionIsReportedAndComesBack() throws {
    let connection = try open(SessionSettings(applicationName: "test", isForQueue: true))
    let statement = SQLStatement("one", "SELECT 1")
    _ = try connection.query(statement)
    let other = try open()
    _ = try other.queryOnce(
      "SELECT pg_terminate_backend($1, 5000)",
      [.int32(connection.backendProcessID)],
      named: "kill"
    )
    let error = #expect(throws: PostgresError.self) { try connection.query(statement) }
    #expect(error?.isConnectionFailure == true)
    #expect(error?.code == "databaseConnectionLost")
    #expect(!connection.isUsable)
    try connection.reconnect()
    #expect(try connection.query(statement)[0].int(0) == 1)
    #expect(
      try connection.queryOnce("SELECT current_setting('enable_hashjoin')", named: "t")[0].text(0)
        == "off"
    )
  }

  /// A server that is frozen, while its kernel still answers: neither keepalives nor the server's own
  /// timeouts help.
  @Test
  func aServerThatDoesNotAnswerIsGivenUp() throws {
    var settings = SessionSettings(applicationName: "test", statementTimeoutMilliseconds: 200)
    settings.answerMarginMilliseconds = 300
    let rows = SQLStatement("frozen.copy", "COPY frozen FROM STDIN (FORMAT binary)")
    let many = [UInt8](repeating: 7, count: 1 << 24)
    let calls: [(PostgresConnection) throws -> Void] = [
      { try $0.execute("SELECT 1", named: "frozen") },
      { _ = try $0.query(SQLStatement("frozen.prepared", "SELECT 1")) },
      { _ = try $0.queryOnce("SELECT $1::int", [.int32(1)], named: "frozen") },
      // More than the kernel's buffers take: it is the sending that waits.
      { _ = try $0.queryOnce("SELECT $1", [.bytes(many)], named: "frozen") },
      { try $0.execute("COMMIT", named: "frozen") },
    ]
    for (index, call) in calls.enumerated() {
      let connection = try open(settings)
      try connection.execute("BEGIN; CREATE TEMP TABLE frozen (n int)", named: "test")
      let server = connection.backendProcessID
      try #require(kill(server, SIGSTOP) == 0)
      defer { _ = kill(server, SIGCONT) }
      let error = #expect(throws: PostgresError.self, "call \(index)") { try call(connection) }
      guard case .connectionLost(_, let reason) = error else {
        Issue.record("call \(index): \(String(describing: error))")
        continue
      }
      #expect(reason == "the server has not answered for 0.5 s", "call \(index)")
      #expect(!connection.isUsable)
      try connection.reconnect()
      #expect(try connection.query(SQLStatement("one", "SELECT 1"))[0].int(0) == 1)
    }
    // A COPY, frozen in its midst.
    let connection = try open(settings)
    try connection.execute("CREATE TEMP TABLE frozen (n int)", named: "test")
    let server = connection.backendProcessID
    defer { _ = kill(server, SIGCONT) }
    let error = #expect(throws: PostgresError.self) {
      try connection.copyIn(rows, rows: 4_000_000) { (row) throws(PostgresError) in
        if row == 100_000 { _ = kill(server, SIGSTOP) }
        return [.int32(1)]
      }
    }
    #expect(error?.message.contains("has not answered") == true, "\(String(describing: error))")
    #expect(!connection.isUsable)
  }

  /// A server that is slow within its limits is waited for, also where it takes and sends much.
  @Test
  func whatTakesItsTimeIsWaitedFor() throws {
    var settings = SessionSettings(applicationName: "test", statementTimeoutMilliseconds: 400)
    settings.answerMarginMilliseconds = 30_000
    let connection = try open(settings)
    // The server's own limit comes first.
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT pg_sleep(20)", named: "slow")
    }
    #expect(error?.state == .queryCanceled)
    #expect(connection.isUsable)
    let bytes = [UInt8](repeating: 5, count: 1 << 23)
    let echo = try connection.queryOnce("SELECT $1", [.bytes(bytes)], named: "echo")
    #expect(try echo[0].bytes(0) == bytes)
    // The first error of several statements is theirs, and the connection is free again.
    let failure = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT 1; SELECT 1/0; SELECT 2", named: "several")
    }
    #expect(failure?.state?.rawValue == "22012")
    #expect(try connection.query(SQLStatement("one", "SELECT 1"))[0].int(0) == 1)
  }

  /// What nobody wanted to the end doesn't stand in the way of what comes after it.
  @Test
  func aCopyThatWasLeftIsDropped() throws {
    let connection = try open()
    var count = 0
    try connection.copyOut(
      SQLStatement("many", "COPY (SELECT generate_series(1, 100000)) TO STDOUT")
    ) { _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
    #expect(try connection.query(SQLStatement("one", "SELECT 1"))[0].int(0) == 1)
  }

  @Test
  func noServerIsAnError() throws {
    let address = DatabaseAddress(socketFolder: "/nonexistent", user: "u", database: "d")
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection.open(address, SessionSettings(applicationName: "test"))
    }
    #expect(error?.code == "databaseConnectionFailed")
  }

  @Test
  func theSessionIsInUTC() throws {
    #expect(
      try open().queryOnce("SELECT current_setting('TimeZone')", named: "t")[0].text(0) == "UTC"
    )
  }
}
