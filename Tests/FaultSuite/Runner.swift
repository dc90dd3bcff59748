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
    if !options.isJSON {
      Say.line(
        "\(results.count - failed - skipped) rows passed, \(failed) failed, \(skipped) skipped; seed \(options.seed)"
      )
    }
    return failed == 0
  }

  private func run(_ row: FaultRow) throws -> RowResult {
    let start = SystemInformation.monotonicTime
    func seconds() -> Double { (SystemInformation.monotonicTime - start) / .seconds(1) }
    do {
      let farm = try row.body(bench)
      try farm.stopWorkers()
      let report = try farm.check()
      try keep(farm, row.name)
      let verdict: RowResult.Verdict =
        report.isClean
        ? .passed : .failed(report.violations.map(\.description).joined(separator: "; "))
      return RowResult(name: row.name, verdict: verdict, report: report, seconds: seconds())
    } catch SuiteError.skipped(let reason) {
      return RowResult(name: row.name, verdict: .skipped(reason), report: nil, seconds: seconds())
    } catch {
      return RowResult(
        name: row.name,
        verdict: .failed("\(error)"),
        report: nil,
        seconds: seconds()
      )
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
