/// A session with a PostgreSQL server.
///
/// Synchronous and blocking, for one thread at a time: it is not Sendable. Open it on the thread or
/// the actor that uses it. Statements are prepared on first use. Behind a pooler of transactions nothing
/// is: each transaction brings its settings, and a statement outside of one gets one of its own.
package final class PostgresConnection {
  /// What the session is told when it opens, also after a reconnection.
  package let settings: SessionSettings
  private let address: DatabaseAddress
  private var handle: LibPQConnection
  private var prepared: [String: [UInt32]] = [:]

  private init(
    address: DatabaseAddress,
    settings: SessionSettings,
    handle: consuming LibPQConnection
  ) {
    self.address = address
    self.settings = settings
    self.handle = handle
  }

  /// Opens a session.
  package static func open(
    _ address: DatabaseAddress,
    _ settings: SessionSettings
  ) throws(PostgresError) -> PostgresConnection {
    let connection = PostgresConnection(
      address: address,
      settings: settings,
      handle: try connect(address, settings)
    )
    try connection.configure()
    return connection
  }

  private static func connect(
    _ address: DatabaseAddress,
    _ settings: SessionSettings
  ) throws(PostgresError) -> LibPQConnection {
    // A dead peer is noticed after about 15 s instead of the kernel's hours.
    try LibPQConnection.open(
      address.connectionString,
      extra: [
        ("client_encoding", "UTF8"), ("fallback_application_name", settings.applicationName),
        ("connect_timeout", "10"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ],
      patienceMilliseconds: settings.patienceMilliseconds
    )
  }

  /// Whether the connection has not been seen to fail.
  package var isUsable: Bool { handle.isUsable }
  package var isInTransaction: Bool { handle.isInTransaction }
  /// The server's version as a number (150020 is 15.20).
  package var serverVersion: Int { handle.serverVersion }
  /// The process identifier of the server's side.
  package var backendProcessID: Int32 { handle.backendProcessID }

  /// Closes the session and opens it anew, whatever its state.
  package func reconnect() throws(PostgresError) {
    handle = try Self.connect(address, settings)
    prepared = [:]
    try configure()
  }

  private func configure() throws(PostgresError) {
    if address.isPooled { return }
    try execute(
      settings.commands + "; " + SessionSettings.peerCommands,
      named: "session settings"
    )
  }

  /// Begins a transaction.
  func begin() throws(PostgresError) {
    let commands = address.isPooled ? settings.transactionCommands : "BEGIN"
    do throws(PostgresError) {
      _ = try check(handle.execute(commands), "BEGIN")
    } catch {
      // A setting may be refused behind a BEGIN that was not.
      if isInTransaction { _ = handle.execute("ROLLBACK") }
      throw error
    }
  }

  /// Whether a statement needs a transaction to bring its settings.
  private var needsTransaction: Bool { address.isPooled && !isInTransaction }

  /// Runs statements without parameters, separated by semicolons; their rows are dropped.
  package func execute(_ sql: String, named name: String) throws(PostgresError) {
    if needsTransaction {
      return try transaction { (_) throws(PostgresError) in
        _ = try check(handle.execute(sql), name)
      }
    }
    _ = try check(handle.execute(sql), name)
  }

  /// Runs a statement.
  @discardableResult
  package func query(
    _ statement: SQLStatement,
    _ parameters: [PostgresParameter] = []
  ) throws(PostgresError) -> PostgresResult {
    if address.isPooled {
      return try queryOnce(statement.text, parameters, named: statement.name)
    }
    let encoded = try EncodedParameters(parameters)
    if prepared[statement.name] == nil {
      _ = try check(
        handle.prepare(statement.name, statement.text, types: encoded.types),
        statement.name
      )
      prepared[statement.name] = encoded.types
    }
    precondition(
      prepared[statement.name] == encoded.types,
      "a statement is called with the parameter types that it was prepared with"
    )
    return PostgresResult(
      try check(handle.execute(prepared: statement.name, parameters: encoded), statement.name)
    )
  }

  /// Runs a statement that is not worth preparing, such as one whose text is made for the occasion.
  @discardableResult
  package func queryOnce(
    _ sql: String,
    _ parameters: [PostgresParameter] = [],
    named name: String
  ) throws(PostgresError) -> PostgresResult {
    if needsTransaction {
      return try transaction { (_) throws(PostgresError) in
        try queryOnce(sql, parameters, named: name)
      }
    }
    let encoded = try EncodedParameters(parameters)
    return PostgresResult(try check(handle.execute(sql: sql, parameters: encoded), name))
  }

  /// Sends rows to a `COPY … FROM STDIN (FORMAT binary)` and gives the number that the server took.
  ///
  /// `row` makes the parameters of a row, one for each column.
  @discardableResult
  package func copyIn(
    _ statement: SQLStatement,
    rows: Int,
    _ row: (Int) throws(PostgresError) -> [PostgresParameter]
  ) throws(PostgresError) -> Int {
    if needsTransaction {
      return try transaction { (_) throws(PostgresError) in
        try copyIn(statement, rows: rows, row)
      }
    }
    let start = try check(handle.execute(statement.text), statement.name)
    precondition(start.status == .copyIn, "the statement is a COPY FROM STDIN")
    var failure: PostgresError?
    do throws(PostgresError) {
      try sendCopy(statement.name, rows: rows, row)
    } catch {
      failure = error
    }
    let isEnded = handle.putCopyEnd(failure: failure.map { _ in "rawmill gave up" })
    let result = handle.nextResult()
    // The protocol ends with an empty answer; reading it makes the connection free again.
    while handle.nextResult() != nil {}
    if let failure { throw failure }
    guard isEnded else { throw lost(statement.name) }
    return try check(result, statement.name).affectedRows
  }

  private func sendCopy(
    _ name: String,
    rows: Int,
    _ row: (Int) throws(PostgresError) -> [PostgresParameter]
  ) throws(PostgresError) {
    // A piece of this size costs few calls and little memory.
    let pieceBytes = 1 << 16
    var encoder = BinaryEncoder()
    encoder.append(contentsOf: BinaryCopy.header)
    for index in 0..<rows {
      let parameters = try row(index)
      encoder.append(Int16(truncatingIfNeeded: parameters.count))
      for parameter in parameters {
        var content = BinaryEncoder()
        guard try content.append(parameter) else {
          encoder.append(Int32(-1))
          continue
        }
        encoder.append(Int32(truncatingIfNeeded: content.bytes.count))
        encoder.append(contentsOf: content.bytes)
      }
      if encoder.bytes.count >= pieceBytes {
        guard handle.putCopyData(encoder.bytes) else { throw lost(name) }
        encoder = BinaryEncoder()
      }
    }
    encoder.append(Int16(-1))
    guard handle.putCopyData(encoder.bytes) else { throw lost(name) }
  }

  /// Hands the rows of a `COPY … TO STDOUT` without parameters to `body`, one by one, as they come, until
  /// it returns false.
  ///
  /// Memory does not grow with the rows. A session whose rows were not all wanted is of no more use.
  package func copyOut(
    _ statement: SQLStatement,
    _ body: ([UInt8]) -> Bool
  ) throws(PostgresError) {
    if needsTransaction {
      return try transaction { (_) throws(PostgresError) in try copyOut(statement, body) }
    }
    let start = try check(handle.execute(statement.text), statement.name)
    precondition(start.status == .copyOut, "the statement is a COPY TO STDOUT")
    while let row = handle.copyData() {
      guard body(row) else { return }
    }
    let result = handle.nextResult()
    // The protocol ends with an empty answer; reading it makes the connection free again.
    while handle.nextResult() != nil {}
    _ = try check(result, statement.name)
  }

  /// The notifications that have come since the last call, without waiting; LISTEN comes first.
  ///
  /// Those of transactions that had committed before a statement of this session are there after it.
  package func notifications() throws(PostgresError) -> [PostgresNotification] {
    guard handle.consumeInput() else { throw lost("NOTIFY") }
    var notifications: [PostgresNotification] = []
    while let notification = handle.nextNotification() { notifications.append(notification) }
    return notifications
  }

  private func lost(_ statement: String) -> PostgresError {
    guard handle.isOverdue, let patience = settings.patienceMilliseconds else {
      return .connectionLost(statement: statement, reason: handle.errorText)
    }
    let isWhole = patience.isMultiple(of: 1_000)
    let seconds = isWhole ? "\(patience / 1_000)" : "\(Double(patience) / 1_000)"
    return .connectionLost(
      statement: statement,
      reason: "the server has not answered for \(seconds) s"
    )
  }

  /// The result, or the error that it is.
  private func check(
    _ result: consuming LibPQResult?,
    _ statement: String
  ) throws(PostgresError) -> LibPQResult {
    guard let result else {
      if handle.isUsable { throw .outOfMemory }
      throw lost(statement)
    }
    guard result.status == .failure else { return result }
    // A server that ends the session says so with an error first; the session is lost all the same.
    guard handle.isUsable, let error = result.serverError(statement: statement) else {
      throw lost(statement)
    }
    throw .server(error)
  }
}

/// The frame of COPY's binary format.
enum BinaryCopy {
  /// Signature, flags, and the length of the header's extension.
  static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + [0, 0, 0, 0] + [0, 0, 0, 0]
}
