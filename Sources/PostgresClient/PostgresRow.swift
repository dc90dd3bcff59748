/// One row of a result; values are read by column number, from 0.
package struct PostgresRow {
  private let result: PostgresResult
  private let index: Int

  init(result: PostgresResult, index: Int) {
    self.result = result
    self.index = index
  }
}

extension PostgresRow {
  /// A `smallint`, `integer` or `bigint`.
  package func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? {
    try read(column, "integer", [.bigint, .integer, .smallint]) { $0.anyInteger() }
  }

  package func optionalInt(_ column: Int) throws(PostgresError) -> Int? {
    try optionalInt64(column).map { Int($0) }
  }

  package func optionalText(_ column: Int) throws(PostgresError) -> String? {
    try read(column, "text", [.text, .varchar, .name, .json]) { $0.text() }
  }

  package func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
    try read(column, "bytea", [.bytea]) { $0.rest() }
  }

  /// Microseconds since 1970-01-01 UTC.
  package func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64? {
    // PostgreSQL counts microseconds from 2000-01-01 UTC.
    try read(column, "timestamptz", [.timestamptz]) { decoder in
      decoder.integer(Int64.self).map {
        $0.addingReportingOverflow(946_684_800_000_000).partialValue
      }
    }
  }

  package func optionalJSON(_ column: Int) throws(PostgresError) -> String? {
    try read(column, "jsonb", [.jsonb]) { decoder in
      decoder.integer(UInt8.self) == 1 ? decoder.text() : nil
    }
  }

  package func int64(_ column: Int) throws(PostgresError) -> Int64 {
    try require(optionalInt64(column), column)
  }

  package func int(_ column: Int) throws(PostgresError) -> Int {
    Int(try int64(column))
  }

  package func bool(_ column: Int) throws(PostgresError) -> Bool {
    try require(
      read(column, "boolean", [.boolean]) { $0.integer(UInt8.self).map { $0 != 0 } },
      column
    )
  }

  package func double(_ column: Int) throws(PostgresError) -> Double {
    try require(read(column, "double precision", [.double]) { $0.double() }, column)
  }

  package func text(_ column: Int) throws(PostgresError) -> String {
    try require(optionalText(column), column)
  }

  package func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
    try require(optionalBytes(column), column)
  }

  package func uuid(_ column: Int) throws(PostgresError) -> UUIDValue {
    try require(read(column, "uuid", [.uuid]) { $0.uuid() }, column)
  }

  package func timestamp(_ column: Int) throws(PostgresError) -> Int64 {
    try require(optionalTimestamp(column), column)
  }

  package func json(_ column: Int) throws(PostgresError) -> String {
    try require(optionalJSON(column), column)
  }

  package func int64Array(_ column: Int) throws(PostgresError) -> [Int64] {
    try require(
      read(column, "bigint[]", [.bigintArray, .integerArray, .smallintArray]) { decoder in
        decoder.array { $0.anyInteger() }
      },
      column
    )
  }

  package func textArray(_ column: Int) throws(PostgresError) -> [String] {
    try require(
      read(column, "text[]", [.textArray]) { decoder in decoder.array { $0.text() } },
      column
    )
  }

  package func bytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]] {
    try require(
      read(column, "bytea[]", [.byteaArray]) { decoder in decoder.array { $0.rest() } },
      column
    )
  }

  private func read<Value>(
    _ column: Int,
    _ expected: String,
    _ accepted: [PostgresType],
    _ body: (inout BinaryDecoder) -> Value?
  ) throws(PostgresError) -> Value? {
    try result.read(row: index, column: column, as: expected, oneOf: accepted, body)
  }

  private func require<Value>(_ value: Value?, _ column: Int) throws(PostgresError) -> Value {
    guard let value else { throw .unexpectedNull(column: result.columnName(column)) }
    return value
  }
}
