import FileSystem
import JSON
import ServiceRuntime
import TestSupport
import Testing

@Suite struct LogTests {
  private let collected = CollectedText()

  private func log(
    _ format: LogFormat,
    level: LogLevel = .info,
    isJournal: Bool = false
  ) -> Log {
    Log(output: collected.output, format: format, level: level, isJournal: isJournal) {
      1_500_000_000
    }
  }

  @Test func jsonLinesHaveTimeLevelEventAndMessageFirst() {
    let absent: JSONValue? = nil
    log(.json).write(.warning, "jobFailed", "it failed", ["batch": 7, "worker": absent])
    #expect(
      collected.take() == """
        {"time":"1970-01-01T00:00:01.500Z","level":"warning","event":"jobFailed",\
        "message":"it failed","batch":7}

        """
    )
  }

  @Test(arguments: LogLevel.allCases)
  func whatMattersLessIsLeftOut(_ level: LogLevel) {
    for each in LogLevel.allCases { log(.text, level: level).write(each, "e", each.rawValue) }
    let expected = LogLevel.allCases.drop { $0 != level }
    #expect(collected.take().split(separator: "\n").count == expected.count)
  }

  @Test func theJournalGetsPriorities() throws {
    for level in LogLevel.allCases {
      log(.text, level: .debug, isJournal: true).write(level, "e", "m")
    }
    #expect(
      collected.take()
        == "<7>rawmill: m\n<6>rawmill: m\n<4>rawmill: warning: m\n<3>rawmill: m\n"
    )
    log(.json, isJournal: true).write(.error, "e", "m")
    let line = collected.take()
    #expect(line.hasPrefix("<3>{"))
    // The journal takes the prefix away.
    #expect(try JSONParser.parse(String(line.dropFirst(3).dropLast()))["level"] == "error")
  }

  /// One line, valid JSON, whatever a file is called.
  @Test func anyFileNameMakesValidJSON() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 1...64, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let path = FilePath(bytes: bytes)
      log(.json).write(
        .info,
        "jobDone",
        "\(path.displayText): done",
        ["input": .string(path.displayText), "inputBytes": .string(path.hexText)]
      )
      let line = collected.take()
      #expect(line.hasSuffix("\n"), "seed \(seed)")
      #expect(!line.dropLast().contains { $0.isNewline }, "seed \(seed)")
      let value = try JSONParser.parse(String(line.dropLast()))
      #expect(value["input"]?.stringValue == path.displayText, "seed \(seed)")
      let hex = try value.requireString("inputBytes")
      #expect(FilePath(hexText: hex)?.bytes == bytes, "seed \(seed)")
    }
  }
}
