internal import Diagnostics
internal import FileSystem
internal import JobModel
internal import ServiceRuntime

/// Draws the farm as lines of text; pure, so that tests see every case.
///
/// No line is wider than the screen, and there are no more lines than it has rows.
package enum FarmScreen {
  /// A row of a section, and what it takes at least.
  private struct Section {
    var title: String
    var rows: [String]
    /// What stands in the place of rows that have no room, by their number.
    var rest: (Int) -> String
  }

  /// The screen.
  ///
  /// `notice` stands in the last line, such as what keys do.
  package static func lines(
    _ farm: FarmSnapshot,
    width: Int,
    height: Int,
    notice: String
  ) -> [String] {
    let columns = max(10, width - 1)
    var sections = [batches(farm, columns), workers(farm, columns)]
    if !farm.failures.isEmpty { sections.append(failures(farm)) }
    let head = [summary(farm)]
    // Each section has its title and an empty line before it; the notice and an empty line end it all.
    let room = max(0, height - head.count - 2 - 2 * sections.count)
    let shares = share(room, among: sections.map(\.rows.count))
    var lines = head
    for (section, count) in zip(sections, shares) where count > 0 {
      lines += ["", section.title]
      if count < section.rows.count {
        lines += section.rows.prefix(count - 1)
        lines.append(section.rest(section.rows.count - count + 1))
      } else {
        lines += section.rows
      }
    }
    lines += ["", notice]
    return lines.suffix(max(1, height)).map {
      TerminalText.truncated(TerminalText.harmless($0), to: columns)
    }
  }

  /// Divides rows among sections: what one does not need the others get, from the first on.
  static func share(_ rows: Int, among wishes: [Int]) -> [Int] {
    var shares = wishes.map { _ in 0 }
    var left = rows
    while left > 0, zip(shares, wishes).contains(where: { $0 < $1 }) {
      for index in wishes.indices where left > 0 && shares[index] < wishes[index] {
        shares[index] += 1
        left -= 1
      }
    }
    return shares
  }

  private static func summary(_ farm: FarmSnapshot) -> String {
    let open = farm.batches.count { !$0.isOver }
    let slots = farm.workers.reduce(0) { $0 + $1.slots }
    var parts = [
      Quantity.count(open, "open batch", plural: "open batches"),
      Quantity.count(farm.workers.count, "worker"),
      "\(farm.running.count) of \(slots) slots busy",
    ]
    let rate = farm.batches.compactMap(\.jobsPerSecond).reduce(0, +)
    if rate > 0 { parts.append("\(Quantity.rate(rate))/s") }
    let clock = Timestamp.text(nanosecondsSince1970: farm.microseconds * 1_000)
    return "rawmill  \(parts.joined(separator: ", "))  \(clock.dropFirst(11).prefix(8)) UTC"
  }

  private static func batches(_ farm: FarmSnapshot, _ columns: Int) -> Section {
    var rows: [String] = []
    for status in farm.batches {
      let batch = status.batch
      let label = "  \(batch.id) \(batch.name)"
      let room = max(8, columns * 2 / 5)
      let name = TerminalText.truncated(TerminalText.harmless(label), to: room)
      let padding = String(repeating: " ", count: max(1, room + 1 - name.count))
      let isRunning = !status.isOver && batch.state == .open
      let state = isRunning && batch.isSealed ? "" : status.stateText + "  "
      let bar = ProgressText.bar(
        status.progress(),
        width: max(12, columns - room - state.count)
      )
      rows.append(name + padding + state + bar)
      if let pause = status.pauseText { rows.append("      \(pause)") }
      if let wait = status.waitText { rows.append("      \(wait)") }
    }
    if rows.isEmpty { rows = ["  none is open"] }
    return Section(title: "BATCHES", rows: rows) { "  and \($0) more lines" }
  }

  private static func workers(_ farm: FarmSnapshot, _ columns: Int) -> Section {
    let running = Dictionary(grouping: farm.running, by: \.worker)
    // First, because they say why the rest does nothing.
    var rows = farm.setAside.map { "  \($0.text(now: farm.microseconds))" }
    let asides = Set(farm.setAside.filter { $0.root == nil }.map(\.host))
    for worker in farm.workers {
      let jobs = running[worker.id] ?? []
      var row = "  \(worker.id) \(worker.host)  \(worker.state)  \(jobs.count)/\(worker.slots)"
      if asides.contains(worker.host) { row += "  set aside" }
      // Three beats were missed: it may be lost.
      if worker.secondsSinceBeat >= 15 {
        row += "  no beat for \(Quantity.clock(Int64(worker.secondsSinceBeat)))"
      }
      let names = jobs.prefix(8).map { job in
        let seconds = max(0, farm.microseconds - job.claimedMicroseconds) / 1_000_000
        let name = job.input.path.lastComponent?.displayText ?? ""
        return "\(name) \(Quantity.clock(seconds))"
      }
      if !names.isEmpty { row += "  " + names.joined(separator: ", ") }
      rows.append(row)
    }
    if farm.workers.isEmpty { rows += ["  none: start one with 'rawmill worker'"] }
    return Section(title: "WORKERS", rows: rows) { "  and \($0) more" }
  }

  private static func failures(_ farm: FarmSnapshot) -> Section {
    let rows = farm.failures.map { failure in
      let time = Timestamp.text(nanosecondsSince1970: failure.microseconds * 1_000)
      let job = failure.job
      return "  \(time.dropFirst(11).prefix(8)) batch \(failure.batch) \(job.failure.code) "
        + "\(job.input): \(job.failure.message)"
    }
    return Section(title: "RECENT FAILURES", rows: Array(rows.prefix(5))) { _ in
      "  'rawmill errors' shows more"
    }
  }
}
