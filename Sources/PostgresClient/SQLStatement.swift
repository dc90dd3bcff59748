/// A statement with the name under which a session prepares it and errors speak of it.
package struct SQLStatement: Sendable {
  /// Unique within the program; a session prepares each name once.
  package let name: String
  package let text: String

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}
