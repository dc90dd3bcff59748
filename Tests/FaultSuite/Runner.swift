internal import FaultHistory
internal import FileSystem
internal import JSON

/// Runs rows one after the other and says how they went.
struct Runner {
  let options: Options
  let bench: Bench

  init(_ options: Options) throws {
    self.options = options
    bench = try Bench(
      rawmill: options.rawmill,
      source: options.source,
      isLong: options.isLong,
      seed: options.seed
    )
  }

  /// Whether no row failed.
  func run(_ rows: [FaultRow]) throws -> Bool {
    var results: [RowResult] = []
    for row in rows {
      let result = try run(row)
      results.append(result)
      Say.line(options.isJSON ? result.json.text() : result.line)
    }
    let failed = results.count { if case .failed = $0.verdict { true } else { false } }
    let skipped = results.count { if case .skipped = $0.verdict { true } else { false } }
    if !options.isJSON, !options.isPart {
      Say.line(
        "\(results.count - failed - skipped) rows passed, \(failed) failed, \(skipped) skipped; seed \(options.seed)"
      )
    }
    return failed == 0
  }

  /// Runs rows several at once, for they wait most of the time; whether none failed.
  static func runInParallel(_ rows: [FaultRow], _ options: Options) throws -> Bool {
    var waiting = rows[...]
    var running: [RowProcess] = []
    var failed: [String] = []
    while !waiting.isEmpty || !running.isEmpty {
      while running.count < options.parallel, let row = waiting.popFirst() {
        running.append(try RowProcess(row, options))
      }
      for process in running {
        guard let result = try process.result() else { continue }
        running.removeAll { $0 === process }
        if !result.isPassed { failed.append(process.name) }
        Say.line(result.text.split(separator: "\n").joined(separator: "\n"))
      }
    }
    if !options.isJSON {
      let names = failed.isEmpty ? "" : ": " + failed.joined(separator: ", ")
      Say.line("\(rows.count) rows, \(failed.count) failed\(names); seed \(options.seed)")
    }
    return failed.isEmpty
  }

  private func run(_ row: FaultRow) throws -> RowResult {
    let start = SystemInformation.monotonicTime
    defer { bench.farm = nil }
    func result(_ verdict: RowResult.Verdict, _ report: HistoryReport? = nil) -> RowResult {
      let seconds = (SystemInformation.monotonicTime - start) / .seconds(1)
      return RowResult(name: row.name, verdict: verdict, report: report, seconds: seconds)
    }
    do {
      let farm = try row.body(bench)
      try farm.stopWorkers()
      let report = try farm.check()
      try keep(farm, row.name)
      guard report.isClean else {
        let violations = report.violations.map(\.description).joined(separator: "; ")
        return result(.failed(violations), report)
      }
      return result(.passed, report)
    } catch SuiteError.skipped(let reason) {
      return result(.skipped(reason))
    } catch {
      // What the farm was in when it failed.
      if let farm = bench.farm { try keep(farm, row.name) }
      return result(.failed("\(error)"))
    }
  }

  func keep(_ farm: Farm, _ name: String) throws {
    guard let folder = options.keepsHistory else { return }
    try folder.createDirectories()
    let path = folder.appending(FilePath("\(name).jsonl"))
    try Farm.write(farm.recorder.history.jsonLines, to: path)
    try farm.keepLogs(folder.appending(FilePath("\(name).log")))
  }
}
