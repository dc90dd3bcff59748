internal import Diagnostics
internal import Digest
internal import FileSystem
internal import JobModel
internal import ServiceRuntime

/// A report in words, for every form that people read.
struct ReportContent {
  struct Row {
    var name: String
    var value: String
  }

  let title: String
  let totals: [Row]
  let provenance: [Row]
  let hosts: [[String]]
  let slowest: [[String]]

  init(_ report: BatchReport, now: Int64) {
    let batch = report.batch
    let status = BatchStatus(batch)
    title = "Batch \(batch.id) \(TerminalText.harmless(batch.name))"
    let progress = batch.progress
    var totals = [
      Row(name: "State", value: status.stateText),
      Row(name: "Jobs", value: "\(batch.total)"),
      Row(name: "Done", value: "\(progress.done)"),
      Row(name: "Failed", value: "\(progress.failed)"),
    ]
    if let pause = status.pauseText {
      totals.insert(Row(name: "Paused", value: TerminalText.harmless(pause)), at: 1)
    }
    if progress.cancelled > 0 {
      totals.append(Row(name: "Cancelled", value: "\(progress.cancelled)"))
    }
    if progress.skipped > 0 { totals.append(Row(name: "Skipped", value: "\(progress.skipped)")) }
    if batch.remaining > 0 { totals.append(Row(name: "Open", value: "\(batch.remaining)")) }
    let elapsed = report.elapsedSeconds(now: now)
    let megapixels = Double(progress.pixels) / 1e6
    totals += [
      Row(name: "Submitted", value: Self.time(batch.createdMicroseconds)),
      Row(
        name: "Finished",
        value: batch.finishedMicroseconds.map { Self.time($0) } ?? "not yet"
      ),
      Row(name: "Elapsed", value: Quantity.duration(.seconds(elapsed))),
      Row(name: "Megapixels", value: Quantity.fixed(megapixels, decimals: 0)),
      Row(
        name: "Bytes",
        value:
          "\(Quantity.bytes(progress.inputBytes)) in, \(Quantity.bytes(progress.outputBytes)) out"
          + Self.ratio(progress)
      ),
    ]
    if let mean = report.seconds.mean {
      totals += [
        Row(
          name: "Seconds a job",
          value:
            "\(Quantity.rate(report.seconds.minimum)) to \(Quantity.rate(report.seconds.maximum)), "
            + "\(Quantity.rate(mean)) in the mean"
        ),
        Row(name: "Peak memory of a job", value: Quantity.bytes(report.peakMemoryBytes)),
      ]
    }
    self.totals = totals
    var provenance: [Row] = []
    for (engine, count) in report.engines.sorted(by: { $0.value > $1.value }) {
      provenance.append(
        Row(
          name: "Engine",
          value:
            "rawmill \(engine.version) (\(engine.revision)), pixel version \(engine.pixelVersion): "
            + Quantity.count(count, "job")
        )
      )
    }
    for (recipe, count) in report.recipes.sorted(by: {
      ($1.value, $0.key.hex) < ($0.value, $1.key.hex)
    }) {
      provenance.append(
        Row(name: "Recipe", value: "\(recipe.hex): \(Quantity.count(count, "job"))")
      )
    }
    if report.others > 0 {
      provenance.append(Row(name: "Others", value: Quantity.count(report.others, "job")))
    }
    self.provenance = provenance
    hosts = report.hosts.sorted { $0.key < $1.key }.map { host, totals in
      let rate = totals.seconds > 0 ? Double(totals.pixels) / 1e6 / totals.seconds : 0
      return [
        TerminalText.harmless(host), "\(totals.jobs)",
        Quantity.duration(.seconds(totals.seconds)), Quantity.rate(rate),
      ]
    }
    slowest = report.slowest.map { job in
      [
        TerminalText.harmless("\(job.input.location)"),
        Quantity.rate(job.making?.seconds ?? 0),
        TerminalText.harmless(job.making?.host ?? ""),
        Quantity.bytes(job.input.size), Quantity.bytes(job.outputBytes),
      ]
    }
  }

  static let hostTitles = ["Host", "Jobs", "Time of jobs", "MP a second and job"]
  static let slowestTitles = ["Input", "Seconds", "Host", "In", "Out"]

  /// A code of failures with its number.
  static func heading(_ failures: BatchReport.Failures) -> String {
    "\(failures.group.count) \(TerminalText.harmless("\(failures.group.code)")), "
      + "\(failures.group.failureClass)"
  }

  static func time(_ microseconds: Int64) -> String {
    Timestamp.text(nanosecondsSince1970: microseconds * 1_000)
  }

  private static func ratio(_ progress: BatchProgress) -> String {
    guard progress.inputBytes > 0, progress.outputBytes > 0 else { return "" }
    let share = Double(progress.outputBytes) / Double(progress.inputBytes) * 100
    return " (\(Quantity.fixed(share, decimals: 1)) %)"
  }
}
