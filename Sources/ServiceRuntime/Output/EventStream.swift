internal import FileSystem
package import JSON

/// The events of a command as JSON, one object a line; silent unless `--json` was given.
///
/// Every object starts with `event`, a stable name in lower camel case, and `time`, RFC 3339 in UTC.
package struct EventStream: Sendable {
  private let output: TextOutput?
  private let nanosecondsSince1970: @Sendable () -> Int64

  package init(
    output: TextOutput?,
    clock: @escaping @Sendable () -> Int64 = { SystemInformation.wallClockNanoseconds }
  ) {
    self.output = output
    nanosecondsSince1970 = clock
  }

  package var isEnabled: Bool { output != nil }

  /// Writes one event; members without a value are left out.
  package func emit(_ event: String, _ members: KeyValuePairs<String, JSONValue?> = [:]) {
    emit(event, members.compactMap { key, value in value.map { (key, $0) } })
  }

  /// Writes one event.
  package func emit(_ event: String, _ members: [(String, JSONValue)]) {
    guard let output else { return }
    let time = Timestamp.text(nanosecondsSince1970: nanosecondsSince1970())
    var object: [(key: String, value: JSONValue)] = [
      ("event", .string(event)), ("time", .string(time)),
    ]
    for (key, value) in members { object.append((key, value)) }
    output.writeLine(JSONValue.object(object).text())
  }
}
