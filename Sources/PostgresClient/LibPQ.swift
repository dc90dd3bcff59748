internal import CLibPQ

// Every call of libpq stands in this file. A handle is used by one thread at a time: libpq locks
// nothing inside a connection, and the types that own handles are not Sendable.

/// A connection of libpq, closed at the end of its life.
@safe
struct LibPQConnection: ~Copyable {
  private let pointer: OpaquePointer

  private init(taking pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe PQfinish(pointer)
  }

  /// Connects with a connection string or URL; `extra` parameters come after and win.
  static func open(
    _ connection: String,
    extra: [(keyword: String, value: String)]
  ) throws(PostgresError) -> LibPQConnection {
    let keywords = ["dbname"] + extra.map(\.keyword)
    let values = [connection] + extra.map(\.value)
    let opened = unsafe withCStrings(keywords) { keywordPointers in
      unsafe withCStrings(values) { valuePointers in
        // expand_dbname 1: the first dbname is read as a connection string or URL.
        unsafe PQconnectdbParams(keywordPointers, valuePointers, 1)
      }
    }
    guard let opened = unsafe opened else { throw .outOfMemory }
    let handle = unsafe LibPQConnection(taking: opened)
    guard unsafe PQstatus(opened) == CONNECTION_OK else {
      throw .connectionFailed(reason: handle.errorText)
    }
    unsafe rawmill_pq_discard_notices(opened)
    return handle
  }

  /// Whether `connection` can be read as a connection string or URL.
  ///
  /// libpq's own reason is not passed on: it quotes the string, password and all.
  static func isValid(_ connection: String) -> Bool {
    guard let options = unsafe PQconninfoParse(connection, nil) else { return false }
    unsafe PQconninfoFree(options)
    return true
  }

  var isUsable: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

  /// Whether a transaction is open, or has failed and waits for its end.
  var isInTransaction: Bool {
    let status = unsafe PQtransactionStatus(pointer)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
  }

  /// The server's version as a number (150020 is 15.20).
  var serverVersion: Int { Int(unsafe PQserverVersion(pointer)) }

  /// The process identifier of the server's side of the connection.
  var backendProcessID: Int32 { unsafe PQbackendPID(pointer) }

  var errorText: String {
    guard let text = unsafe PQerrorMessage(pointer) else { return "no reason given" }
    return unsafe tidy(String(cString: text))
  }

  func parameterStatus(_ name: String) -> String? {
    guard let text = unsafe PQparameterStatus(pointer, name) else { return nil }
    return unsafe String(cString: text)
  }

  func execute(_ sql: String) -> LibPQResult? {
    unsafe LibPQResult(taking: PQexec(pointer, sql))
  }

  func prepare(_ name: String, _ sql: String, types: [UInt32]) -> LibPQResult? {
    unsafe LibPQResult(taking: PQprepare(pointer, name, sql, Int32(types.count), types))
  }

  /// Runs a prepared statement.
  func execute(
    prepared name: String,
    parameters: EncodedParameters
  ) -> LibPQResult? {
    let result = unsafe parameters.withPointers { count, values, lengths, formats in
      unsafe PQexecPrepared(pointer, name, count, values, lengths, formats, 1)
    }
    return unsafe LibPQResult(taking: result)
  }

  func execute(sql: String, parameters: EncodedParameters) -> LibPQResult? {
    let result = unsafe parameters.withPointers { count, values, lengths, formats in
      unsafe PQexecParams(pointer, sql, count, parameters.types, values, lengths, formats, 1)
    }
    return unsafe LibPQResult(taking: result)
  }

  /// The next result of the statement that runs, or nil after its last.
  func nextResult() -> LibPQResult? {
    unsafe LibPQResult(taking: PQgetResult(pointer))
  }

  /// Reads what the server has sent unasked, without waiting; false if the connection failed.
  func consumeInput() -> Bool { unsafe PQconsumeInput(pointer) == 1 }

  /// The oldest notification that was read and not taken.
  func nextNotification() -> PostgresNotification? {
    guard let notification = unsafe PQnotifies(pointer) else { return nil }
    // libpq allocated it, its strings included, for this call alone.
    defer { unsafe PQfreemem(notification) }
    return unsafe PostgresNotification(
      channel: String(cString: notification.pointee.relname),
      payload: String(cString: notification.pointee.extra)
    )
  }

  /// Sends a piece of a COPY; false if the connection failed.
  func putCopyData(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return true }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { start in
        unsafe PQputCopyData(pointer, start, Int32(buffer.count)) == 1
      }
    }
  }

  /// The next piece of a COPY to the client: nil after the last, and where the connection failed, which
  /// the next result tells apart.
  func copyData() -> [UInt8]? {
    var buffer: UnsafeMutablePointer<CChar>?
    let count = unsafe PQgetCopyData(pointer, &buffer, 0)
    guard count > 0, let start = unsafe buffer else { return nil }
    // libpq allocated it for this call alone.
    defer { unsafe PQfreemem(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  /// Ends a COPY, as failed if there is a `reason`.
  func putCopyEnd(failure reason: String?) -> Bool {
    unsafe PQputCopyEnd(pointer, reason) == 1
  }
}

/// A result of libpq, freed at the end of its life.
@safe
struct LibPQResult: ~Copyable {
  enum Status {
    case command
    case rows
    case copyIn
    case copyOut
    case failure
  }

  private let pointer: OpaquePointer

  /// Takes the result, or is nil if libpq gave none.
  init?(taking pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe PQclear(pointer)
  }

  var status: Status {
    switch unsafe PQresultStatus(pointer) {
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .command
    case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE: .rows
    case PGRES_COPY_IN: .copyIn
    case PGRES_COPY_OUT: .copyOut
    default: .failure
    }
  }

  var rowCount: Int { Int(unsafe PQntuples(pointer)) }
  var columnCount: Int { Int(unsafe PQnfields(pointer)) }

  /// Rows that the statement changed; 0 where it says nothing of the kind.
  var affectedRows: Int {
    guard let text = unsafe PQcmdTuples(pointer) else { return 0 }
    return Int(unsafe String(cString: text)) ?? 0
  }

  func columnName(_ column: Int) -> String {
    guard let name = unsafe PQfname(pointer, Int32(column)) else { return "\(column)" }
    return unsafe String(cString: name)
  }

  func columnType(_ column: Int) -> UInt32 {
    unsafe PQftype(pointer, Int32(column))
  }

  /// The bytes of a value, or nil for NULL.
  func value(row: Int, column: Int) -> [UInt8]? {
    precondition(
      row >= 0 && row < rowCount && column >= 0 && column < columnCount,
      "no such row or column in the result"
    )
    guard unsafe PQgetisnull(pointer, Int32(row), Int32(column)) == 0,
      let value = unsafe PQgetvalue(pointer, Int32(row), Int32(column))
    else { return nil }
    let length = Int(unsafe PQgetlength(pointer, Int32(row), Int32(column)))
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: length))
  }

  /// What the server said; nil if the failure is the connection's.
  func serverError(statement: String) -> ServerError? {
    // The field codes are characters: SQLSTATE C, message M, detail D, hint H, constraint n.
    guard let state = field("C") else { return nil }
    return ServerError(
      state: SQLState(rawValue: state),
      message: field("M") ?? "no message",
      detail: field("D"),
      hint: field("H"),
      constraint: field("n"),
      statement: statement
    )
  }

  private func field(_ code: Unicode.Scalar) -> String? {
    guard let text = unsafe PQresultErrorField(pointer, Int32(code.value)) else { return nil }
    return unsafe String(cString: text)
  }
}

/// Lends an array of C strings that ends with a null pointer.
private func withCStrings<Value>(
  _ strings: [String],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.utf8.map { CChar(bitPattern: $0) } + [0]
  }
  // The pointers point into `buffer`, which stands still until the closure returns.
  return unsafe bytes.withUnsafeBufferPointer { buffer in
    var pointers: [UnsafePointer<CChar>?] =
      unsafe offsets.map { offset in unsafe buffer.baseAddress.map { unsafe $0 + offset } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { list in
      guard let base = list.baseAddress else { preconditionFailure("the list is never empty") }
      return unsafe body(base)
    }
  }
}

/// libpq's messages end with a newline and may have several lines.
private func tidy(_ message: String) -> String {
  message.split(whereSeparator: \.isNewline)
    .map { line in
      line.drop { $0 == " " || $0 == "\t" }
    }
    .joined(separator: "; ")
}
