internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import JSON
internal import ProcessControl

/// Root's suite has mounts of its own, which end with it however it ends.
func enterOwnNamespace() throws {
  let mark = "RAWMILL_FAULTS_NAMESPACE"
  guard geteuid() == 0, SystemInformation.environment(mark) == nil else { return }
  var launch = ProgramLaunch("/usr/bin/env")
  launch.arguments =
    ["unshare", "--mount", "--propagation", "private"].map { Array($0.utf8) }
    + [try SystemInformation.executablePath().bytes]
    + CommandLine.arguments.dropFirst().map { Array($0.utf8) }
  launch.environment = [mark: "1"]
  launch.diesWithParent = true
  let exit = try RunningProgram.start(launch).wait()
  if case .code(let code) = exit.reason { Glibc.exit(code) }
  Glibc.exit(70)
}

func main() throws -> Int32 {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  switch options.words.first {
  case "list":
    for row in FaultRow.all { Say.line("\(row.number)\t\(row.name)\t\(row.summary)") }
    return 0
  case "check":
    guard options.words.count == 2 else { throw SuiteError.usage("check takes one history") }
    let history = try History(jsonLines: FilePath(options.words[1]).readAll())
    let report = HistoryChecker.check(history)
    Say.line(
      RowResult(
        name: options.words[1],
        verdict: report.isClean ? .passed : .failed(""),
        report: report,
        seconds: 0
      ).line
    )
    for violation in report.violations { Say.line(violation.description) }
    return report.isClean ? 0 : 1
  case "run":
    let names = Set(options.words.dropFirst())
    let rows = FaultRow.all.filter { names.contains($0.name) || names.contains("\($0.number)") }
    guard !rows.isEmpty else { throw SuiteError.usage("no such row: see rawmill-faults list") }
    try enterOwnNamespace()
    return try Runner(options).run(rows) ? 0 : 1
  case "all":
    return try Runner.runInParallel(FaultRow.all, options) ? 0 : 1
  case "chaos":
    try enterOwnNamespace()
    return try Chaos(options).run() ? 0 : 1
  case "farm":
    try enterOwnNamespace()
    return try NetworkFarm(options).run() ? 0 : 1
  default: throw SuiteError.usage("")
  }
}

do {
  exit(try main())
} catch SuiteError.usage(let message) {
  Say.line(message.isEmpty ? Options.usage : message + "\n" + Options.usage)
  exit(64)
} catch {
  Say.line("error: \(error)")
  exit(70)
}
