/// `text` as an SQL identifier, for the few places that take no parameter (a schema's name).
package func quotedIdentifier(_ text: String) -> String {
  "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}

/// `text` as an SQL literal, for the few places that take no parameter (`SET`).
package func quotedLiteral(_ text: String) -> String {
  let quoted = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
  // A backslash means itself only while standard_conforming_strings is on: E'' says what is meant.
  guard text.contains("\\") else { return "'\(quoted)'" }
  return "E'"
    + quoted.split(separator: "\\", omittingEmptySubsequences: false)
    .joined(separator: "\\\\") + "'"
}
