package import JSON

/// What a statistics output measured, as the rows of its tables.
package struct StatisticsRecord: Equatable, Sendable {
  package var outputID: String
  /// Members as the image engine names them; the store takes them apart.
  package var rows: JSONValue

  package init(outputID: String, rows: JSONValue) {
    self.outputID = outputID
    self.rows = rows
  }
}
