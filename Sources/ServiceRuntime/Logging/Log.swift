internal import FileSystem
package import JSON

/// What a program says about its work, on standard error unless said otherwise.
///
/// Lines of text for people, or JSON Lines for programs. Every text that comes from a file's name must have
/// been made valid before: `FilePath.displayText`.
package struct Log: Sendable {
  /// What the lines look like.
  package var format: LogFormat
  /// What matters less is left out.
  package var level: LogLevel
  private let output: TextOutput
  private let name: String
  private let isJournal: Bool
  private let nanosecondsSince1970: @Sendable () -> Int64

  /// A log whose lines of text start with a name, such as `rawmill`.
  ///
  /// To systemd's journal each line carries its priority.
  package init(
    name: String = "rawmill",
    output: TextOutput = .standardError,
    format: LogFormat = .text,
    level: LogLevel = .info,
    isJournal: Bool = false,
    clock: @escaping @Sendable () -> Int64 = { SystemInformation.wallClockNanoseconds }
  ) {
    self.name = name
    self.output = output
    self.format = format
    self.level = level
    self.isJournal = isJournal
    nanosecondsSince1970 = clock
  }

  /// Writes one line; members without a value are left out.
  ///
  /// `event` is a stable name in lower camel case. Text shows the message alone.
  package func write(
    _ level: LogLevel,
    _ event: String,
    _ message: String,
    _ members: KeyValuePairs<String, JSONValue?> = [:]
  ) {
    write(level, event, message, members.compactMap { key, value in value.map { (key, $0) } })
  }

  /// Writes one line, as above.
  package func write(
    _ level: LogLevel,
    _ event: String,
    _ message: String,
    _ members: [(String, JSONValue)]
  ) {
    guard level >= self.level else { return }
    let prefix = isJournal ? level.journalPrefix : ""
    switch format {
    case .text:
      let mark = level == .warning ? "warning: " : ""
      output.writeLine("\(prefix)\(name): \(mark)\(message)")
    case .json:
      let time = Timestamp.text(nanosecondsSince1970: nanosecondsSince1970())
      var object: [(key: String, value: JSONValue)] = [
        ("time", .string(time)), ("level", .string(level.rawValue)), ("event", .string(event)),
        ("message", .string(message)),
      ]
      for (key, value) in members { object.append((key, value)) }
      output.writeLine(prefix + JSONValue.object(object).text())
    }
  }

  /// Something that went as it should.
  package func info(_ text: String) {
    write(.info, "message", text)
  }

  /// Something that went wrong but does not end the work.
  package func warning(_ text: String) {
    write(.warning, "message", text)
  }

  /// Something that failed.
  package func error(_ text: String) {
    write(.error, "message", text)
  }
}
