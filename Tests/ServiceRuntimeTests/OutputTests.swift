import FileSystem
import Glibc
import JSON
import ServiceRuntime
import Synchronization
import TestSupport
import Testing

/// Text that a test collects.
final class CollectedText: Sendable {
  private let text = Mutex("")

  var output: TextOutput {
    TextOutput { text in self.text.withLock { $0 += text } }
  }

  /// What was written since the last call.
  func take() -> String {
    text.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

@Suite struct OutputTests {
  private let collected = CollectedText()

  @Test func eventsAreOneLineEach() {
    let events = EventStream(output: collected.output) { 1_500_000_000 }
    let absent: JSONValue? = nil
    events.emit("jobDone", ["input": "a\nb", "bytes": 3, "reason": absent])
    events.emit("end")
    #expect(
      collected.take() == """
        {"event":"jobDone","time":"1970-01-01T00:00:01.500Z","input":"a\\nb","bytes":3}
        {"event":"end","time":"1970-01-01T00:00:01.500Z"}

        """
    )
  }

  @Test func withoutAnOutputEventsAreSilent() {
    let events = EventStream(output: nil)
    #expect(!events.isEnabled)
    events.emit("end")
  }

  @Test func logLinesNameTheProgram() {
    let log = Log(output: collected.output)
    log.info("a")
    log.warning("b")
    log.error("c")
    #expect(collected.take() == "rawmill: a\nrawmill: warning: b\nrawmill: c\n")
  }

  @Test func tablesAlign() {
    var table = TextTable([("file", .leading), ("size", .trailing), ("", .leading)])
    table.add(["a", "1", "x"])
    table.add(["日本", "12345"])
    #expect(table.lines(indent: 2) == ["  file   size", "  a         1  x", "  日本  12345"])
  }

  @Test func textIsCutAndMadeHarmless() {
    #expect(TerminalText.truncated("abcdef", to: 4) == "abc…")
    #expect(TerminalText.truncated("日本語", to: 4) == "日…")
    #expect(TerminalText.truncated("abc", to: 3) == "abc")
    #expect(TerminalText.truncated("abc", to: 0) == "")
    #expect(TerminalText.harmless("a\u{1B}[2Jb\n") == "a\\u{1b}[2Jb\\u{a}")
    #expect(TerminalText.harmless("a\u{7F}b") == "a\\u{7f}b")
    #expect(TerminalText.harmless("a\u{9B}2J") == "a\\u{9b}2J")
    #expect(TerminalText.harmless("~ a") == "~ a")
    #expect(TerminalText.width("e\u{301}x") == 2)
  }

  /// The first failure stays, and nothing is written behind it.
  @Test func anOutputRemembersThatItFailed() throws {
    let full = try FileDescriptor.open("/dev/full", .write)
    let output = TextOutput(descriptor: full.rawValue)
    #expect(!output.hasFailed)
    #expect(output.finish() == nil)
    output.writeLine("a")
    #expect(output.hasFailed)
    output.writeLine("b")
    #expect(output.finish() == SystemError(errorNumber: ENOSPC, call: "write"))
    #expect(collected.output.finish() == nil)
  }

  /// A pipe that does not wait for its reader loses nothing.
  @Test func aReaderMayBeSlow() throws {
    var ends: [Int32] = [-1, -1]
    let isMade = unsafe pipe(&ends) == 0
    try #require(isMade)
    let (reader, writer) = (ends[0], ends[1])
    for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    // More than a pipe holds.
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let writing = BackgroundWork {
      let output = TextOutput(descriptor: writer)
      output.write(bytes: bytes)
      close(writer)
      return output.finish()
    }
    var read: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Glibc.read(reader, &buffer, buffer.count)
      if count > 0 { read += buffer.prefix(count) }
      if count == 0 || count < 0 && errno != EAGAIN { break }
    }
    close(reader)
    #expect(writing.value() == .some(nil))
    #expect(read == bytes)
  }
}
