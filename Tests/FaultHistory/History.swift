internal import JSON

/// What happened in a run, in order, with the suite's monotonic time in nanoseconds.
package struct History: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    /// Nanoseconds.
    package var time: Int64
    package var event: HistoryEvent

    package init(time: Int64, event: HistoryEvent) {
      self.time = time
      self.event = event
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Reads JSON Lines.
  ///
  /// - Throws: `HistoryError` for the first line that is no event.
  package init(jsonLines bytes: [UInt8]) throws {
    entries = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let value = try JSONParser.parse(Array(line))
      guard let entry = Entry(value) else { throw HistoryError.notAnEvent(line: index + 1) }
      entries.append(entry)
    }
  }

  /// One event a line.
  package var jsonLines: [UInt8] {
    entries.flatMap { $0.json.bytes(.compact) + [UInt8(ascii: "\n")] }
  }
}

/// Why a history can't be read.
package enum HistoryError: Error, Equatable {
  case notAnEvent(line: Int)
}
