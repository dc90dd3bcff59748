internal import CLibPQ
internal import Glibc

// Every call of libpq stands in this file. A handle is used by one thread at a time: libpq locks
// nothing inside a connection, and the types that own handles are not Sendable.

/// A connection of libpq, closed at the end of its life.
///
/// libpq's calls that wait, wait for ever: for a server that is frozen while its kernel still answers
/// keepalives, as well. So none of them is used here but for connecting, which has a timeout of its own.
@safe
struct LibPQConnection: ~Copyable {
  private let pointer: OpaquePointer
  /// For how long the server may neither send nor take a byte while something is wanted of it; negative: for
  /// ever.
  private let patienceMilliseconds: Int32
  /// Whether the server was silent for too long; the connection is of no more use then.
  private(set) var isOverdue = false

  private init(taking pointer: OpaquePointer, patienceMilliseconds: Int32) {
    unsafe self.pointer = pointer
    self.patienceMilliseconds = patienceMilliseconds
  }

  deinit {
    unsafe PQfinish(pointer)
  }

  /// Connects with a connection string or URL; `extra` parameters come after and win.
  static func open(
    _ connection: String,
    extra: [(keyword: String, value: String)],
    patienceMilliseconds: Int?
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
    let handle = unsafe LibPQConnection(
      taking: opened,
      patienceMilliseconds: patienceMilliseconds.map { Int32(clamping: $0) } ?? -1
    )
    guard unsafe PQstatus(opened) == CONNECTION_OK else {
      throw .connectionFailed(reason: handle.errorText)
    }
    unsafe rawmill_pq_discard_notices(opened)
    guard unsafe PQsetnonblocking(opened, 1) == 0 else { throw .outOfMemory }
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

  mutating func execute(_ sql: String) -> LibPQResult? {
    settle()
    return answer(sent: unsafe PQsendQuery(pointer, sql))
  }

  mutating func prepare(_ name: String, _ sql: String, types: [UInt32]) -> LibPQResult? {
    settle()
    return answer(sent: unsafe PQsendPrepare(pointer, name, sql, Int32(types.count), types))
  }

  /// Runs a prepared statement.
  mutating func execute(
    prepared name: String,
    parameters: EncodedParameters
  ) -> LibPQResult? {
    settle()
    let sent = unsafe parameters.withPointers { count, values, lengths, formats in
      unsafe PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
    }
    return answer(sent: sent)
  }

  mutating func execute(sql: String, parameters: EncodedParameters) -> LibPQResult? {
    settle()
    let sent = unsafe parameters.withPointers { count, values, lengths, formats in
      unsafe PQsendQueryParams(
        pointer,
        sql,
        count,
        parameters.types,
        values,
        lengths,
        formats,
        1
      )
    }
    return answer(sent: sent)
  }

  /// The last result of what was sent, which is its first error, or the beginning of a COPY.
  private mutating func answer(sent: Int32) -> LibPQResult? {
    guard sent == 1 else { return nil }
    // Where this fails the result says why: the server may have said so before it closed the connection.
    _ = flush()
    var last: LibPQResult?
    while let result = nextResult() {
      let isCopy = result.status == .copyIn || result.status == .copyOut
      last = consume result
      if isCopy || !isUsable { break }
    }
    return last
  }

  /// Reads what an earlier statement has left, so that the connection is free.
  private mutating func settle() {
    while isUsable, let rest = nextResult() {
      switch rest.status {
      case .copyIn: _ = putCopyEnd(failure: "another statement came")
      case .copyOut: while copyData() != nil {}
      case .command, .rows, .failure: break
      }
    }
  }

  /// Waits until the socket can be read, or, with `writing`, written; false where the server is silent for
  /// too long, after which the connection is cut.
  private mutating func wait(writing: Bool = false) -> Bool {
    let socket = unsafe PQsocket(pointer)
    guard socket >= 0 else { return false }
    let events = Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0)
    while true {
      var descriptor = pollfd(fd: socket, events: events, revents: 0)
      let count = unsafe poll(&descriptor, 1, patienceMilliseconds)
      if count > 0 { return true }
      if count < 0, errno == EINTR { continue }
      isOverdue = true
      // libpq reads the end of the connection next and takes it for lost.
      _ = shutdown(socket, Int32(SHUT_RDWR))
      return false
    }
  }

  /// Hands all that is to be sent to the kernel; false if the connection failed.
  private mutating func flush() -> Bool {
    while true {
      switch unsafe PQflush(pointer) {
      case 0: return true
      case 1:
        // The server may have to be read from before it takes more.
        guard wait(writing: true), consumeInput() else { return false }
      default: return false
      }
    }
  }

  /// The next result of the statement that runs, or nil after its last.
  mutating func nextResult() -> LibPQResult? {
    while unsafe PQisBusy(pointer) == 1 {
      guard wait(), consumeInput() else { break }
    }
    return unsafe LibPQResult(taking: PQgetResult(pointer))
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
  mutating func putCopyData(_ bytes: [UInt8]) -> Bool {
    let isTaken = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return true }
      return unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { start in
        unsafe PQputCopyData(pointer, start, Int32(buffer.count)) == 1
      }
    }
    // Without this, libpq would keep the whole COPY in memory.
    return isTaken && flush()
  }

  /// The next piece of a COPY to the client: nil after the last, and where the connection failed, which
  /// the next result tells apart.
  mutating func copyData() -> [UInt8]? {
    var buffer: UnsafeMutablePointer<CChar>?
    var count = unsafe PQgetCopyData(pointer, &buffer, 1)
    while count == 0, wait(), consumeInput() {
      count = unsafe PQgetCopyData(pointer, &buffer, 1)
    }
    guard count > 0, let start = unsafe buffer else { return nil }
    // libpq allocated it for this call alone.
    defer { unsafe PQfreemem(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  /// Ends a COPY, as failed if there is a `reason`.
  mutating func putCopyEnd(failure reason: String?) -> Bool {
    unsafe PQputCopyEnd(pointer, reason) == 1 && flush()
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
