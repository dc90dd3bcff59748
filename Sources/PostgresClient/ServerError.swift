/// What the server said about a statement that failed.
package struct ServerError: Equatable, Sendable {
  package let state: SQLState
  /// The server's primary message.
  package let message: String
  /// The server's second message, with the particulars.
  package let detail: String?
  package let hint: String?
  /// The constraint that was violated, where it was one.
  package let constraint: String?
  /// The name of the statement, as the caller gave it.
  package let statement: String

  package init(
    state: SQLState,
    message: String,
    detail: String? = nil,
    hint: String? = nil,
    constraint: String? = nil,
    statement: String
  ) {
    self.state = state
    self.message = message
    self.detail = detail
    self.hint = hint
    self.constraint = constraint
    self.statement = statement
  }
}
