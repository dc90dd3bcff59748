/// One step of a JSON text.
package enum JSONEvent: Equatable, Sendable {
  case beginObject
  case key(String)
  case endObject
  case beginArray
  case endArray
  /// Null, a boolean, a number or a string.
  case scalar(JSONValue)
}

/// Takes the steps of a text in order; what it is handed is grammatical as far as it goes.
package protocol JSONEventHandler {
  /// One step, which starts at a byte offset of the text.
  mutating func handle(_ event: JSONEvent, at offset: Int)
}
