internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import JSON
internal import PostgresClient

/// A random schedule of faults on some workers, the same for a seed.
struct Chaos {
  private let options: Options
  private let runner: Runner

  init(_ options: Options) throws {
    self.options = options
    runner = try Runner(options)
  }

  /// What can happen to a farm, and how often.
  private enum Fault: CaseIterable {
    case killWorker, killChild, killAtPlace, stopWorker, failCall, nfs, terminateSessions
    case terminateInside, crashServer, cutNetwork, halfNetwork, lossyNetwork, refuseNetwork, drain
    case lockTable, bury, holdSnapshot

    var weight: Int {
      switch self {
      case .killWorker, .killChild, .terminateSessions: 6
      case .killAtPlace, .failCall: 10
      case .stopWorker, .nfs, .terminateInside, .drain, .lockTable, .bury: 4
      case .cutNetwork, .halfNetwork, .lossyNetwork, .refuseNetwork: 3
      case .crashServer: 2
      case .holdSnapshot: 1
      }
    }
  }

  /// Whether every invariant held.
  func run() throws -> Bool {
    Say.line("seed \(options.seed)")
    defer { runner.bench.farm = nil }
    let start = SystemInformation.monotonicTime
    let bench = runner.bench
    let server = try Server.create(bench.folder.appending("chaos"))
    // A worker may be stopped while one of its threads is inside a transaction: what that has locked
    // is free when the server ends the session, 30 s later (idle_in_transaction_session_timeout).
    let farm = try Farm(bench, "chaos", server: server, slack: .seconds(45))
    let proxies = try (0..<options.workers).map { _ in try Proxy(to: server.port) }
    for proxy in proxies { proxy.start() }
    defer { for proxy in proxies { proxy.stop() } }
    var dice = Schedule(seed: options.seed)
    let choices = Fault.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    func startWorker(_ index: Int) throws {
      farm.workerURL = "postgresql://rawmill@127.0.0.1:\(proxies[index].port)/\(farm.database)"
      try farm.startWorker("w\(index)", slots: 2, host: "farm\(index % 2)")
    }
    for index in 0..<options.workers { try startWorker(index) }
    var submitted = 0
    let end = start + .seconds(options.seconds)
    var nextReport = start + .seconds(60)
    // The submissions are spread over the time, so that there is work at every moment.
    while SystemInformation.monotonicTime < end || submitted < options.jobs {
      let open = (try? farm.number("SELECT count(*) FROM job WHERE outcome IS NULL")) ?? 0
      let share = (SystemInformation.monotonicTime - start) / .seconds(max(1, options.seconds))
      let due = min(options.jobs, Int(share * Double(options.jobs)) + 400)
      if submitted < due, open < 400 {
        let count = min(due - submitted, 400)
        try farm.submit(count)
        submitted += count
      }
      guard let fault = choices.randomElement(using: &dice) else { break }
      let index = Int(dice.next() % UInt64(options.workers))
      try inject(fault, farm, server, proxies, index, &dice)
      for other in farm.workers where !other.isRunning {
        guard let number = Int(other.name.dropFirst()) else { continue }
        try startWorker(number)
      }
      try? farm.putRight()
      Wait.pause(.milliseconds(Int64(dice.next() % 400)))
      let now = SystemInformation.monotonicTime
      if now >= nextReport {
        nextReport = now + .seconds(60)
        let done = (try? farm.number("SELECT count(*) FROM job WHERE outcome IS NOT NULL")) ?? -1
        Say.line(
          "\(Int((now - start) / .seconds(1))) s: \(submitted) submitted, \(done) ended, "
            + "\(farm.recorder.faultCount) faults"
        )
      }
    }
    for worker in farm.workers { try worker.disarmAll() }
    try farm.putRight()
    try farm.finish(limit: .seconds(600), byHand: true)
    try farm.stopWorkers()
    let seconds = (SystemInformation.monotonicTime - start) / .seconds(1)
    let report = try farm.check()
    try runner.keep(farm, "chaos")
    let result = RowResult(
      name: "chaos, seed \(options.seed)",
      verdict: report.isClean
        ? .passed : .failed(report.violations.map(\.description).joined(separator: "; ")),
      report: report,
      seconds: seconds
    )
    Say.line(options.isJSON ? result.json.text() : result.line)
    return report.isClean
  }

  private func inject(
    _ fault: Fault,
    _ farm: Farm,
    _ server: Server,
    _ proxies: [Proxy],
    _ index: Int,
    _ dice: inout Schedule
  ) throws {
    guard let worker = farm.workers.first(where: { $0.name == "w\(index)" }) else { return }
    let tokens = (try? farm.leaseTokens()) ?? []
    switch fault {
    case .killWorker:
      let id = farm.recorder.inject("killWorker", worker.name)
      worker.kill()
      try farm.recover(id, from: tokens)
    case .killChild:
      guard let child = try childProcesses(of: worker).randomElement(using: &dice) else { return }
      let id = farm.recorder.inject("killChild", worker.name)
      _ = kill(child, SIGKILL)
      try farm.recover(id, from: tokens)
    case .killAtPlace:
      guard let place = FaultRow.killPlaces.randomElement(using: &dice) else { return }
      try worker.arm(place, "kill")
      try meet(place, worker, farm, "killAtPlace", recovers: true)
    case .failCall:
      let errors = ["EIO", "ESTALE", "ENOSPC", "EROFS"]
      let calls = [
        "worker.open", "worker.fsync", "worker.renameat2", "child.pread", "child.pwrite",
      ]
      guard let error = errors.randomElement(using: &dice),
        let call = calls.randomElement(using: &dice)
      else { return }
      try worker.arm("\(call).before", error)
      try meet("\(call).before", worker, farm, error, recovers: true)
    case .stopWorker:
      let places = [
        "worker.renameat2.before", "worker.sql.job.complete.before", "worker.fsync.after",
      ]
      guard let place = places.randomElement(using: &dice) else { return }
      try worker.arm(place, "stop")
      guard try waitFor(place, worker) else { return }
      let id = farm.recorder.inject("stop", place)
      let held = (try? farm.leaseTokens()) ?? []
      try farm.recover(id, from: held)
      Wait.pause(.milliseconds(Int64(dice.next() % 2_000)))
      worker.send(SIGCONT)
    case .nfs:
      let id = farm.recorder.inject("nfs", worker.name, recovers: false)
      try worker.arm("worker.renameat2.before", "EINVAL always")
      if dice.next() % 2 == 0 { try worker.arm("worker.link.before", "lie always") }
      Wait.pause(.milliseconds(1_500))
      try worker.disarmAll()
      farm.recorder.add(.ended(fault: id))
    case .terminateSessions, .terminateInside:
      let isInside = fault == .terminateInside
      if isInside { try worker.arm("worker.commit.job.complete.before", "delay 300") }
      if isInside { guard try waitFor("worker.commit.job.complete.before", worker) else { return } }
      let id = farm.recorder.inject(isInside ? "terminateInside" : "terminate", "all sessions")
      _ = try? farm.number(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'rawmill%'
        """
      )
      try farm.recover(id, from: tokens)
    case .crashServer:
      let id = farm.recorder.inject("serverCrash", "immediate")
      try server.stop("immediate")
      Wait.pause(.milliseconds(Int64(dice.next() % 1_500)))
      try server.start()
      farm.recorder.add(.ended(fault: id))
      try farm.recover(id, from: tokens)
    case .cutNetwork, .halfNetwork, .lossyNetwork, .refuseNetwork:
      var weather = Proxy.Weather()
      switch fault {
      case .cutNetwork: (weather.holdsToServer, weather.holdsToClient) = (true, true)
      case .halfNetwork:
        weather.holdsToServer = dice.next() % 2 == 0
        weather.holdsToClient = !weather.holdsToServer
      case .lossyNetwork: (weather.lossPercent, weather.delayMilliseconds) = (30, 100)
      default: weather.refuses = true
      }
      let id = farm.recorder.inject("\(fault)", worker.name)
      proxies[index].set(weather)
      if weather.refuses { proxies[index].reset() }
      Wait.pause(.milliseconds(500 + Int64(dice.next() % 5_000)))
      proxies[index].set(Proxy.Weather())
      if dice.next() % 2 == 0 { proxies[index].reset() }
      farm.recorder.add(.ended(fault: id))
      try farm.recover(id, from: tokens)
    case .drain:
      let id = farm.recorder.inject("drain", worker.name)
      worker.send(SIGTERM)
      if dice.next() % 2 == 0 { worker.send(SIGTERM) }
      try worker.stop()
      farm.recorder.add(.ended(fault: id))
      try farm.recover(id, from: tokens)
    case .lockTable:
      guard let table = ["lease", "job", "worker", "output"].randomElement(using: &dice) else {
        return
      }
      let id = farm.recorder.inject("lock", table)
      try farm.execute("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
      Wait.pause(.milliseconds(300 + Int64(dice.next() % 2_500)))
      try farm.execute("COMMIT")
      farm.recorder.add(.ended(fault: id))
      try farm.recover(id, from: tokens)
    case .bury:
      let id = farm.recorder.inject("bury", "a living worker")
      try farm.execute(
        """
        UPDATE worker SET state = 2, ended_at = clock_timestamp() WHERE id =
          (SELECT id FROM worker WHERE state = 0 ORDER BY random() LIMIT 1)
        """
      )
      try farm.recover(id, from: tokens)
    case .holdSnapshot:
      let id = farm.recorder.inject("snapshot", "held", recovers: false)
      let holder = try server.connect(farm.database)
      try holder.execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job",
        named: "suite"
      )
      Wait.pause(.milliseconds(4_000))
      farm.recorder.add(.ended(fault: id))
    }
  }

  /// Waits for a place to be met; not for ever, since there may be no work that leads there.
  private func waitFor(_ place: String, _ worker: WorkerProcess) throws -> Bool {
    for _ in 0..<200 {
      if try !worker.isArmed(place) { return true }
      Wait.pause(.milliseconds(20))
    }
    try worker.disarm(place)
    return false
  }

  private func meet(
    _ place: String,
    _ worker: WorkerProcess,
    _ farm: Farm,
    _ kind: String,
    recovers: Bool
  ) throws {
    guard try waitFor(place, worker) else { return }
    let id = farm.recorder.inject(kind, place, recovers: recovers)
    try farm.recover(id, from: (try? farm.leaseTokens()) ?? [])
  }

  private func childProcesses(of worker: WorkerProcess) throws -> [Int32] {
    let path = FilePath("/proc/\(worker.processID)/task/\(worker.processID)/children")
    guard let file = try? FileDescriptor.open(path, .read), let bytes = try? file.read(count: 4_096)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
  }
}
