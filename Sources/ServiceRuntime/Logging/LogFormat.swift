/// What a line of the log looks like.
package enum LogFormat: String, CaseIterable, Sendable {
  /// `rawmill: …`, for people.
  case text
  /// One JSON object: `time`, `level`, `event`, `message`, and what the event is about.
  case json
}
