import JSON
import ServiceRuntime
import Synchronization
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
    #expect(TerminalText.width("e\u{301}x") == 2)
  }
}
