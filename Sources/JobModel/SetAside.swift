/// A host whose workers claim nothing, or nothing with one of their roots, until a time.
package struct SetAside: Equatable, Sendable {
  package var host: String
  /// Nil: the whole host.
  package var root: String?
  /// One sentence for people.
  package var reason: String
  /// Who did it: a user, or `rawmill` itself.
  package var actor: String
  /// Microseconds since 1970-01-01 UTC.
  package var sinceMicroseconds: Int64
  package var untilMicroseconds: Int64

  package init(
    host: String,
    root: String?,
    reason: String,
    actor: String,
    sinceMicroseconds: Int64,
    untilMicroseconds: Int64
  ) {
    self.host = host
    self.root = root
    self.reason = reason
    self.actor = actor
    self.sinceMicroseconds = sinceMicroseconds
    self.untilMicroseconds = untilMicroseconds
  }
}
