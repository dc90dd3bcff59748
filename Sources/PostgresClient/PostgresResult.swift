/// The rows of a statement, in binary.
package final class PostgresResult {
  private let result: LibPQResult
  private let types: [UInt32]

  init(_ result: consuming LibPQResult) {
    var types: [UInt32] = []
    for column in 0..<result.columnCount { types.append(result.columnType(column)) }
    self.types = types
    self.result = result
  }

  package var rowCount: Int { result.rowCount }
  package var columnCount: Int { types.count }
  /// Rows that an INSERT, UPDATE, DELETE or COPY changed.
  package var affectedRows: Int { result.affectedRows }

  /// The row with this index, from 0.
  package subscript(row: Int) -> PostgresRow { PostgresRow(result: self, index: row) }

  /// What `body` makes of each row.
  package func map<Value>(
    _ body: (PostgresRow) throws(PostgresError) -> Value
  ) throws(PostgresError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(rowCount)
    for row in 0..<rowCount { values.append(try body(self[row])) }
    return values
  }

  func columnName(_ column: Int) -> String { result.columnName(column) }

  /// What `body` reads from a value, or nil for NULL.
  func read<Value>(
    row: Int,
    column: Int,
    as expected: String,
    oneOf accepted: [PostgresType],
    _ body: (inout BinaryDecoder) -> Value?
  ) throws(PostgresError) -> Value? {
    guard let bytes = result.value(row: row, column: column) else { return nil }
    let type = types[column]
    var decoder = BinaryDecoder(bytes)
    guard accepted.contains(where: { $0.rawValue == type }), let value = body(&decoder) else {
      throw .columnType(column: columnName(column), expected: expected, oid: type)
    }
    return value
  }
}
