internal import Diagnostics
internal import Digest
internal import FileSystem
internal import JobModel
internal import ServiceRuntime

extension BatchReport {
  /// The report as Markdown (CommonMark with tables), whatever is in the names.
  package func markdown(now: Int64) -> String {
    let content = ReportContent(self, now: now)
    var lines = ["# \(Self.escaped(content.title))", ""]
    lines += Self.table(["", ""], content.totals.map { [$0.name, $0.value] })
    if !content.provenance.isEmpty {
      lines += ["", "## Provenance", ""]
      lines += Self.table(["", ""], content.provenance.map { [$0.name, $0.value] })
    }
    if !content.hosts.isEmpty {
      lines += ["", "## Hosts", ""]
      lines += Self.table(ReportContent.hostTitles, content.hosts)
    }
    for (title, distribution, unit) in [
      ("Seconds a job", seconds, { Quantity.significant($0) }),
      ("Sizes of inputs", inputSizes, { Quantity.bytes(Int64($0)) }),
      ("Sizes of outputs", outputSizes, { Quantity.bytes(Int64($0)) }),
    ] as [(String, Distribution, (Double) -> String)] where distribution.count > 0 {
      lines += ["", "## \(title)", ""]
      lines += Self.table(
        ["From", "To", "Jobs"],
        distribution.bins.map {
          [unit($0.low), $0.high.isFinite ? unit($0.high) : "", "\($0.count)"]
        }
      )
    }
    if !content.slowest.isEmpty {
      lines += ["", "## Slowest", ""]
      lines += Self.table(ReportContent.slowestTitles, content.slowest)
    }
    for part in failures {
      lines += ["", "## Failed: \(Self.escaped(ReportContent.heading(part)))", ""]
      lines += Self.table(
        ["Input", "Attempt", "Reason"],
        part.jobs.map { job in
          [
            TerminalText.harmless("\(job.input)"), "\(job.attempt)",
            TerminalText.harmless(job.failure.message),
          ]
        }
      )
      if part.group.count > part.jobs.count {
        lines += ["", "and \(part.group.count - part.jobs.count) more"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String {
      "| " + cells.map(escaped).joined(separator: " | ") + " |"
    }
    return [line(titles), "|" + titles.map { _ in "---|" }.joined()] + rows.map(line)
  }

  /// Text in which nothing is markup: every ASCII punctuation may be escaped (CommonMark, 2.4).
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if "\\`*_{}[]<>()#+!|&~$".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
