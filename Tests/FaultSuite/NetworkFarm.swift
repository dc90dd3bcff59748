internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import ProcessControl

/// Two workers of one core each in network namespaces of their own, the server in a third: what the
/// second worker brings, and what the farm costs against `develop` in a loop.
struct NetworkFarm {
  private let options: Options
  private let runner: Runner

  init(_ options: Options) throws {
    self.options = options
    runner = try Runner(options)
  }

  /// Whether everything was rendered as it should be; the figures are printed, not judged.
  func run() throws -> Bool {
    defer { runner.bench.farm = nil }
    let inputs = try options.words.dropFirst().map { try FilePath($0).absolute() }
    let pictures = try inputs.isEmpty ? [runner.bench.picture] : inputs.map { try $0.readAll() }
    let count = options.jobs
    let networks = try NetworkNamespaces(3)
    let server = try Server.create(
      runner.bench.folder.appending("networked"),
      host: networks.address(0),
      prefix: networks.prefix(0)
    )
    let farm = try Farm(runner.bench, "farm", server: server)
    farm.networks = networks
    try Farm.write(
      Array("recipe: 1\nname: farm\noutputs:\n  - heic: {}\n".utf8),
      to: farm.folder.appending("recipe.yaml")
    )
    // In turn, so that whatever the machine does besides meets all of them.
    var one: [Measurement] = []
    var two: [Measurement] = []
    var loop: [Measurement] = []
    for _ in 0..<3 {
      one.append(try render(farm, networks, pictures, count, workers: 1))
      loop.append(try developLoop(farm, pictures, count))
      two.append(try render(farm, networks, pictures, count, workers: 2))
    }
    let report = try farm.check()
    try runner.keep(farm, "farm")
    for violation in report.violations { Say.line(violation.description) }
    func median(_ list: [Measurement], _ value: (Measurement) -> Double) -> Double {
      list.map(value).sorted()[list.count / 2]
    }
    let gain = median(one, \.wall) / median(two, \.wall)
    let cost = median(one, \.processor) / median(loop, \.processor) - 1
    Say.line("one worker:      \(text(one)) s, processor \(text(one, \.processor)) s")
    Say.line("two workers:     \(text(two)) s, processor \(text(two, \.processor)) s")
    Say.line("develop, a loop: \(text(loop)) s, processor \(text(loop, \.processor)) s")
    Say.line("\(count) pictures; the second worker brings \(rounded(gain))x")
    Say.line(
      "the farm costs \(rounded(cost * 100)) % of processor time more than develop in a loop"
    )
    return report.isClean
  }

  private struct Measurement {
    /// Seconds.
    var wall: Double
    /// Seconds of all processes: workers, children, server.
    var processor: Double
  }

  private func text(_ list: [Measurement], _ value: (Measurement) -> Double = \.wall) -> String {
    list.map { "\(rounded(value($0)))" }.joined(separator: ", ")
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  private func render(
    _ farm: Farm,
    _ networks: NetworkNamespaces,
    _ pictures: [[UInt8]],
    _ count: Int,
    workers: Int
  ) throws -> Measurement {
    let folder = try farm.makeInputs(count, pictures: pictures)
    for index in 0..<workers {
      try farm.startWorker(
        "core\(index)",
        prefix: networks.prefix(index + 1) + ["taskset", "-c", "\(index)"],
        environment: ["LD_PRELOAD": ""]
      )
    }
    try Wait.until("the workers", limit: .seconds(30)) {
      try farm.number("SELECT count(*) FROM worker WHERE state = 0") == workers
    }
    let server = try farm.server.processorTime()
    try farm.submit(folder)
    try farm.finish(limit: .seconds(3_600))
    try farm.stopWorkers()
    let wall = try farm.number(
      """
      SELECT (extract(epoch FROM max(finished_at) - min(claimed_at)) * 1e6)::bigint FROM provenance
      WHERE batch_id = (SELECT max(id) FROM batch)
      """
    )
    let used = farm.workers.compactMap(\.exit).reduce(Duration.zero) {
      $0 + $1.userTime + $1.systemTime
    }
    farm.forgetWorkers()
    let total = used + (try farm.server.processorTime()) - server
    return Measurement(wall: Double(wall) / 1e6, processor: total / .seconds(1))
  }

  private func developLoop(
    _ farm: Farm,
    _ pictures: [[UInt8]],
    _ count: Int
  ) throws -> Measurement {
    let folder = farm.folder.appending("loop")
    var used = Duration.zero
    let start = SystemInformation.monotonicTime
    for index in 0..<count {
      let input = folder.appending(FilePath("picture\(index).dng"))
      try Farm.write(pictures[index % pictures.count], to: input)
      let output = try Shell.run(
        "/usr/bin/env",
        [
          "taskset", "-c", "0", runner.bench.rawmill.displayText, "develop", input.displayText,
          "--recipe",
          farm.folder.appending("recipe.yaml").displayText, "--to",
          folder.appending("out").displayText,
          "--threads", "1",
        ]
      )
      guard output.exit.isSuccess else {
        throw SuiteError.commandFailed("rawmill develop", output: output.text)
      }
      used += output.exit.userTime + output.exit.systemTime
    }
    let wall = SystemInformation.monotonicTime - start
    try folder.removeTree()
    return Measurement(wall: wall / .seconds(1), processor: used / .seconds(1))
  }
}
