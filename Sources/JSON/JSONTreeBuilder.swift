/// Builds a value from the steps of its text.
struct JSONTreeBuilder: JSONEventHandler {
  private enum Container {
    case array([JSONValue])
    case object([(key: String, value: JSONValue)], pendingKey: String)
  }

  private var open: [Container] = []
  private(set) var result: JSONValue = .null

  mutating func handle(_ event: JSONEvent, at offset: Int) {
    switch event {
    case .beginObject: open.append(.object([], pendingKey: ""))
    case .beginArray: open.append(.array([]))
    case .key(let key):
      if case .object(let members, _) = open.popLast() {
        open.append(.object(members, pendingKey: key))
      }
    case .endObject, .endArray:
      switch open.popLast() {
      case .array(let elements): add(.array(elements))
      case .object(let members, _): add(.object(members))
      case nil: break
      }
    case .scalar(let value): add(value)
    }
  }

  private mutating func add(_ value: JSONValue) {
    // Taken out of the stack and put back, so that the arrays grow in place.
    switch open.popLast() {
    case .array(var elements):
      elements.append(value)
      open.append(.array(elements))
    case .object(var members, let key):
      members.append((key: key, value: value))
      open.append(.object(members, pendingKey: ""))
    case nil: result = value
    }
  }
}
