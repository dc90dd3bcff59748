internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import ProcessControl

/// A queue in a database of its own with inputs, outputs, workers and a history.
final class Farm {
  let bench: Bench
  private(set) var server: Server
  let database: String
  let folder: FilePath
  let recorder = Recorder()
  let run: HistoryRun
  private(set) var workers: [WorkerProcess] = []
  /// What workers connect to, if not to the server itself.
  var workerURL: String?
  /// Other variables of the workers.
  var workerEnvironment: [String: String?] = [:]
  /// Namespaces that end with the farm.
  var networks: NetworkNamespaces?
  /// A mount that ends with the farm.
  var unmounting: FilePath?
  /// How long a render may take.
  var wallLimit: Duration = .seconds(60)
  private var inputs = 0
  private var lives = 0
  private var session: PostgresConnection?

  var input: FilePath { folder.appending("in") }
  var output: FilePath { folder.appending("out") }
  private var publications: FilePath { folder.appending("publications") }

  init(
    _ bench: Bench,
    _ name: String,
    server: Server? = nil,
    lease: Duration = .seconds(3),
    slack: Duration = .seconds(15)
  ) throws {
    self.bench = bench
    self.server = try server ?? bench.server()
    let number = bench.serial.next()
    database = "farm\(number)"
    folder = bench.folder.appending(FilePath("farm\(number)"))
    run = HistoryRun(
      name: name,
      seed: bench.seed,
      leaseMilliseconds: Int64(lease / .milliseconds(1)),
      delayMilliseconds: 1_500,
      slackMilliseconds: Int64(slack / .milliseconds(1))
    )
    recorder.add(.run(run))
    bench.farm = self
    for path in [folder, folder.appending("in"), folder.appending("out"), folder.appending("logs")]
    {
      try path.createDirectories(permissions: 0o777)
    }
    try Self.write(
      Array("recipe: 1\nname: faults\noutputs:\n  - tiff: {}\n".utf8),
      to: folder.appending("recipe.yaml")
    )
    let administration = try self.server.connect("postgres")
    try administration.execute("CREATE DATABASE \(database)", named: "suite")
    try rawmill(["database", "migrate"])
    try connection().execute(Self.policy, named: "suite")
  }

  deinit {
    for worker in workers { worker.kill() }
    if let unmounting { Bench.unmount(unmounting) }
  }

  /// Whether three crashes end a job, as everywhere else.
  func countCrashes() throws {
    try execute("ALTER TABLE batch DISABLE TRIGGER suite_policy")
    try execute(Self.crashPolicy)
  }

  private static let crashPolicy = """
    CREATE FUNCTION rawmill.suite_crashes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.base_delay_ms := 100; NEW.maximum_delay_ms := 1000;
      RETURN NEW;
    END $$;
    CREATE TRIGGER suite_crashes BEFORE INSERT ON rawmill.batch
      FOR EACH ROW EXECUTE FUNCTION rawmill.suite_crashes()
    """

  /// Retries come soon, and no crash that the suite causes counts against a job.
  private static let policy = """
    CREATE FUNCTION rawmill.suite_policy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.base_delay_ms := 100; NEW.maximum_delay_ms := 1000;
      NEW.maximum_attempts := 1000; NEW.maximum_crashes := 1000;
      RETURN NEW;
    END $$;
    CREATE TRIGGER suite_policy BEFORE INSERT ON rawmill.batch
      FOR EACH ROW EXECUTE FUNCTION rawmill.suite_policy();
    """

  /// The server died; this one has its data.
  func replaceServer(by other: Server) {
    server = other
    session = nil
  }

  /// The suite's session; one that a fault broke is opened anew, when the server is back.
  func connection() throws -> PostgresConnection {
    let end = SystemInformation.monotonicTime + .seconds(10)
    while true {
      do {
        let open = try session ?? server.connect(database)
        session = open
        try open.execute("SELECT 1", named: "suite")
        return open
      } catch {
        session = nil
        guard SystemInformation.monotonicTime < end else { throw error }
        Wait.pause(.milliseconds(100))
      }
    }
  }

  /// A number from the database.
  func number(_ sql: String) throws -> Int64 {
    try connection().queryOnce(sql, named: "suite")[0].int64(0)
  }

  func execute(_ sql: String) throws { try connection().execute(sql, named: "suite") }

  /// A session of the queue's protocol.
  func store() throws -> JobStore {
    try JobStore.open(DatabaseAddress(server.url(database)), applicationName: "suite")
  }

  private var environment: [String: String?] {
    [
      "RAWMILL_DATABASE_URL": server.url(database),
      "RAWMILL_MIGRATIONS": bench.migrations.displayText,
      "RAWMILL_DATA_DIR": folder.appending("no-cluster").displayText,
    ]
  }

  /// Runs the program to its end, which must be good unless `mayFail`.
  @discardableResult
  func rawmill(_ arguments: [String], mayFail: Bool = false) throws -> Shell.Output {
    let output = try Shell.run(bench.rawmill, arguments, environment: environment)
    guard mayFail || output.exit.isSuccess else {
      throw SuiteError.commandFailed(
        "rawmill \(arguments.joined(separator: " "))",
        output: output.text
      )
    }
    return output
  }

  /// The program, left running.
  func startRawmill(_ arguments: [String]) throws -> RunningProgram {
    var launch = ProgramLaunch(bench.rawmill, arguments: arguments)
    launch.environment = environment
    launch.descriptors = [nil, nil, nil]
    launch.diesWithParent = true
    return try RunningProgram.start(launch)
  }

  static func write(_ bytes: [UInt8], to path: FilePath) throws {
    try path.parent.createDirectories(permissions: 0o777)
    let file = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o666))
    try file.truncate(to: 0)
    try file.write(bytes)
  }

  /// Makes inputs in a new folder below the inputs', and gives that folder.
  func makeInputs(
    _ count: Int,
    prefix: String = "picture",
    expected: Expectation = .done,
    bytes: [UInt8]? = nil,
    pictures: [[UInt8]] = []
  ) throws -> FilePath {
    inputs += 1
    let name = "set\(inputs)"
    for index in 0..<count {
      // Several folders, as photographs have.
      let relative = "\(name)/day\(index % 4)/\(prefix)\(index)_\(inputs).dng"
      try Self.write(
        pictures.isEmpty ? bytes ?? bench.picture : pictures[index % pictures.count],
        to: input.appending(FilePath(relative))
      )
      recorder.add(.submitted(input: relative, expected: expected))
    }
    return input.appending(FilePath(name))
  }

  /// Submits folders by the real program.
  func submit(_ folders: FilePath..., mayFail: Bool = false, recipe: String = "recipe.yaml") throws
  {
    try rawmill(submission(folders, recipe: recipe), mayFail: mayFail)
  }

  func submission(_ folders: [FilePath], recipe: String = "recipe.yaml") -> [String] {
    ["submit"] + folders.map(\.displayText) + [
      "--recipe", folder.appending(FilePath(recipe)).displayText, "--to", output.displayText,
    ]
  }

  /// Makes inputs and submits them.
  func submit(_ count: Int) throws { try submit(makeInputs(count)) }

  /// Starts a worker.
  ///
  /// `host` gives it a host name of its own, which needs root.
  @discardableResult
  func startWorker(
    _ name: String,
    slots: Int = 1,
    host: String? = nil,
    prefix: [String] = [],
    isPreloadedEarly: Bool = false,
    environment more: [String: String?] = [:]
  ) throws -> WorkerProcess {
    lives += 1
    let own = ["worker", "--slots", "\(slots)", "--threads", "1"]
    var launch: ProgramLaunch
    if let host, geteuid() == 0 {
      // env takes the preloaded library: the shell and unshare themselves go without.
      let script = "hostname \(host) && exec env LD_PRELOAD=\"$FAULT_PRELOAD\" \"$0\" \"$@\""
      launch = ProgramLaunch(
        "/usr/bin/env",
        arguments: prefix + ["unshare", "--uts", "sh", "-c", script, bench.rawmill.displayText]
          + own
      )
    } else if isPreloadedEarly {
      launch = ProgramLaunch("/usr/bin/env", arguments: [bench.rawmill.displayText] + own)
    } else if prefix.isEmpty {
      launch = ProgramLaunch(bench.rawmill, arguments: own)
    } else {
      let script = "exec env LD_PRELOAD=\"$FAULT_PRELOAD\" \"$0\" \"$@\""
      launch = ProgramLaunch(
        "/usr/bin/env",
        arguments: prefix + ["sh", "-c", script, bench.rawmill.displayText] + own
      )
    }
    let faults = folder.appending(FilePath("faults-\(name)"))
    let preload = more["LD_PRELOAD"].flatMap(\.self) ?? bench.library.displayText
    launch.environment = environment.merging(
      [
        "RAWMILL_DATABASE_URL": workerURL ?? server.url(database),
        "RAWMILL_FAULT_DIR": faults.displayText,
        "RAWMILL_PUBLISH_LOG": publications.displayText,
        "RAWMILL_TEST_LEASE": "\(run.leaseMilliseconds)",
        "RAWMILL_TEST_WALL_LIMIT": "\(Int64(wallLimit / .milliseconds(1)))",
        "FAULT_PRELOAD": preload,
        "LD_PRELOAD": launch.program == bench.rawmill || isPreloadedEarly ? preload : nil,
      ]
    ) { $1 }.merging(workerEnvironment) { $1 }.merging(more.filter { $0.key != "LD_PRELOAD" }) {
      $1
    }
    let worker = try WorkerProcess(
      name: name,
      faults: faults,
      log: folder.appending(FilePath("logs/\(name)-\(lives)")),
      launch
    )
    workers.removeAll { $0.name == name }
    workers.append(worker)
    return worker
  }

  /// Waits until every batch is finished and nothing is leased.
  func finish(limit: Duration = .seconds(90), byHand: Bool = false) throws {
    try Wait.until("the end of all batches (\(try progressText()))", limit: limit) {
      if byHand { try putRight() }
      return try number(
        "SELECT (SELECT count(*) FROM batch WHERE finished_at IS NULL) + (SELECT count(*) FROM lease)"
      ) == 0
    }
  }

  func progressText() throws -> String {
    let row = try connection().queryOnce(
      """
      SELECT count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome > 1),
        count(*) FILTER (WHERE outcome IS NULL), (SELECT count(*) FROM lease) FROM job
      """,
      named: "suite"
    )[0]
    return "\(try row.int64(0)) done, \(try row.int64(1)) other, \(try row.int64(2)) open, "
      + "\(try row.int64(3)) leased at the start of the wait"
  }

  func stopWorkers() throws {
    for worker in workers {
      worker.send(SIGCONT)
      worker.send(SIGTERM)
    }
    for worker in workers { try worker.stop() }
  }

  /// What a person does after so much went wrong: paused batches go on, hosts that were set aside come back.
  func putRight() throws {
    let paused = try connection().queryOnce(
      "SELECT id FROM batch WHERE state = 1 ORDER BY id",
      named: "suite"
    )
    for row in 0..<paused.rowCount {
      try rawmill(["resume", "\(try paused[row].int64(0))"], mayFail: true)
    }
    // There are none before the first.
    if try number("SELECT (to_regclass('rawmill.set_aside') IS NOT NULL)::int::bigint") == 1 {
      try execute("DELETE FROM set_aside")
    }
  }

  /// Leaves out workers that have ended.
  func forgetWorkers() { workers.removeAll { !$0.isRunning } }

  /// Leases as they are: by their tokens.
  func leaseTokens() throws -> [String] {
    try connection().queryOnce("SELECT token::text FROM lease", named: "suite")
      .map { (row) throws(PostgresError) in try row.text(0) }
  }

  /// Waits until none of these leases is held any more, and records that.
  func recover(_ fault: Int64, from tokens: [String], limit: Duration = .seconds(60)) throws {
    let list = tokens.map { "'\($0)'" }.joined(separator: ",")
    if !tokens.isEmpty {
      try Wait.until("the end of what fault \(fault) had stopped", limit: limit) {
        // The server may still be on its way back.
        (try? number("SELECT count(*) FROM lease WHERE token IN (\(list))")) == 0
      }
    }
    recorder.add(.recovered(fault: fault))
  }

  /// Waits until one more job is done than there are now.
  func recoverByWork(_ fault: Int64, limit: Duration = .seconds(60)) throws {
    var before: Int64?
    try Wait.until("work after fault \(fault)", limit: limit) {
      guard let done = try? number("SELECT count(*) FROM job WHERE outcome IS NOT NULL") else {
        return false
      }
      guard let first = before else {
        before = done
        return try number("SELECT count(*) FROM job WHERE outcome IS NULL") == 0
      }
      if done > first { return true }
      return try number("SELECT count(*) FROM job WHERE outcome IS NULL") == 0
    }
    recorder.add(.recovered(fault: fault))
  }

  /// The same where a person puts right what the fault has paused or set aside, as long as more comes: jobs
  /// that were under way fail after its end.
  func recoverByHand(_ fault: Int64, limit: Duration = .seconds(60)) throws {
    let open = "SELECT count(*) FROM job WHERE outcome IS NULL"
    let before = try number(open)
    try Wait.until("work after fault \(fault)", limit: limit) {
      try putRight()
      let now = try number(open)
      return now < before || now == 0
    }
    recorder.add(.recovered(fault: fault))
  }

  /// Reads the log of publications into the history.
  func readPublications() throws {
    guard try publications.statusIfExists() != nil else { return }
    let text = String(decoding: try publications.readAll(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 5, let time = Int64(fields[0]), let process = Int64(fields[1]) else {
        continue
      }
      let path = relative(String(fields[4]))
      if fields[2] == "unlink" {
        recorder.add(.withdrawn(path: path, process: process), at: time)
        continue
      }
      // .NAME.JOB.ATTEMPT.tmp
      let parts = fields[3].split(separator: ".")
      guard parts.count >= 3, let job = Int64(parts[parts.count - 3]),
        let attempt = Int64(parts[parts.count - 2])
      else { continue }
      recorder.add(
        .published(
          path: path,
          job: job,
          attempt: attempt,
          process: process,
          replacing: fields[2] == "rename"
        ),
        at: time
      )
    }
  }

  /// A path below the outputs' folder as text from there.
  func relative(_ path: String) -> String {
    let prefix = output.displayText + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
