import FileSystem
import Glibc
import JSON
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// What somebody who runs a farm sees: metrics, logs, doctor, webhooks, mixed versions.
@Suite(.serialized) struct OperationsTests {
  /// The lines of a log, each of which must be JSON.
  private func log(_ path: FilePath) throws -> [JSONValue] {
    let text = String(decoding: try path.readAll(), as: UTF8.self)
    return try text.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  private func codes(_ run: ProgramRun) throws -> [String] {
    try run.outputText.split(separator: "\n").map { try JSONParser.parse(String($0)) }
      .filter { $0["event"] == "finding" }.map { try $0.requireString("code") }
      // Machines that run tests may be short of room.
      .filter { $0 != "diskFull" }
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func metricsAndLogsOfAWorker() throws {
    let fixture = try QueueFixture(pictures: 3)
    // A name that is not UTF-8, with what JSON must escape.
    let name = FilePath(bytes: Array("in/\"\\\u{7}".utf8) + [0xFF] + Array(".dng".utf8))
    let picture = try fixture.input.appending("day0/picture1000.dng").readAll()
    let odd = try FileDescriptor.open(
      fixture.folder.root.appending(name),
      .readWriteExclusively(permissions: 0o644)
    )
    try odd.write(picture, at: 0)
    #expect(
      try fixture.call("submit", fixture.input.displayText, "--to", fixture.output.displayText)
        .exitCode == 0
    )
    let worker = try fixture.start(
      ["worker", "--slots", "1", "--metrics", "127.0.0.1:0", "--log-format", "json"],
      errorsTo: "log"
    )
    let logFile = fixture.folder.path("log")
    var endpoint: String?
    let isDone = try Polling.wait(upTo: .seconds(120)) {
      // The last line may be half written.
      let text = String(decoding: try logFile.readAll(), as: UTF8.self)
      guard text.hasSuffix("\n") else { return false }
      let lines = try log(logFile)
      endpoint = lines.first { $0["event"] == "metricsServed" }?["endpoint"]?.stringValue
      return lines.count { $0["event"] == "jobDone" } == 4
    }
    try #require(isDone)
    let place = try #require(endpoint)
    let read = try JSONParser.parse(
      try OraclePython.run("exposition.py", arguments: ["http://\(place)/metrics"])
    )
    let samples = try read.requireArray("samples")
    func value(_ name: String, _ labels: JSONValue = .object([])) -> String? {
      samples.first { $0["name"]?.stringValue == name && $0["labels"] == labels }?["value"]?
        .stringValue
    }
    #expect(value("rawmill_jobs_total", ["outcome": "done"]) == "4.0")
    #expect(value("rawmill_jobs_total", ["outcome": "failed"]) == "0.0")
    #expect(value("rawmill_pixels_total") == "1228800.0")
    #expect(value("rawmill_input_bytes_total") == "\(Double(picture.count * 4))")
    #expect(value("rawmill_render_seconds_count") == "4.0")
    #expect(value("rawmill_worker_registered") == "1.0")
    #expect(value("rawmill_leases_held") == "0.0")
    #expect(value("rawmill_child_starts_total") == "1.0")
    worker.send(signal: SIGTERM)
    let exit = worker.wait()
    #expect(exit.isSuccess)
    let lines = try log(logFile)
    for line in lines {
      for key in ["time", "level", "event", "message"] { #expect(line[key] != nil) }
    }
    let done = lines.filter { $0["event"] == "jobDone" }
    for key in ["batch", "job", "worker", "attempt"] {
      #expect(done.allSatisfy { $0[key]?.integerValue != nil })
    }
    let line = try #require(done.first { $0["inputBytes"] != nil })
    let bytes = FilePath(hexText: try line.requireString("inputBytes"))?.bytes
    #expect(bytes?.suffix(name.bytes.count) == name.bytes[...])

    // The farm's figures, from the database.
    let farm = try fixture.call("metrics")
    #expect(farm.exitCode == 0)
    try fixture.folder.write(farm.output, to: "farm")
    let figures = try OraclePython.run(
      "exposition.py",
      arguments: [fixture.folder.path("farm").displayText]
    )
    #expect(figures.contains("rawmill_farm_schema_version"))
  }

  @Test func theDoctorFindsAndExits() throws {
    let fixture = try QueueFixture(pictures: 1)
    _ = try fixture.connect()
    #expect(try fixture.call("database", "migrate").exitCode == 0)
    let healthy = try fixture.call("doctor", "--json", "--wait", "1")
    #expect(try codes(healthy) == [])
    try fixture.call("submit", fixture.input.displayText, "--to", fixture.output.displayText)
    let waiting = try fixture.call("doctor", "--json", "--wait", "1")
    #expect(try codes(waiting) == ["noWorker"])
    #expect(waiting.exitCode == 1)
    let text = try fixture.call("doctor", "--wait", "1")
    #expect(text.outputText.contains("[noWorker]\n  start rawmill worker\n"))
  }

  /// A login that may not do a service's work is said so at once: asking again changes nothing.
  @Test func aServiceWithoutItsRightsEnds() throws {
    let fixture = try QueueFixture(pictures: 0)
    #expect(try fixture.call("database", "start").exitCode == 0)
    try fixture.connect().execute("CREATE ROLE eye LOGIN IN ROLE rawmill_reader", named: "test")
    let eye = try fixture.connectionInfo(user: "eye")
    for words in [["worker", "--slots", "1"], ["notify", "--webhook", "http://127.0.0.1:1/"]] {
      let run = try fixture.call(words + ["--database", eye], timeout: .seconds(30))
      #expect(run.exitCode == 69, "\(words)")
      #expect(run.errorText.contains("permission denied for function"), "\(run.errorText)")
    }
  }

  /// Who only looks, at a database of a wrong name, leaves it as it was.
  @Test func onlyWorkMakesASchema() throws {
    let fixture = try QueueFixture(pictures: 1)
    let admin = try fixture.connect()
    try admin.execute("CREATE DATABASE strange", named: "test")
    let strange = try fixture.connectionInfo(user: "rawmill", database: "strange")
    for words in [
      ["status"], ["errors"], ["pause", "1"], ["provenance", "x"],
      ["notify", "--webhook", "http://a/"],
    ] {
      let run = try fixture.call(words + ["--database", strange], timeout: .seconds(30))
      #expect(run.exitCode == 78, "\(words): \(run.errorText)")
      #expect(run.errorText.contains("run rawmill database migrate"), "\(words)")
    }
    let words = ["submit", fixture.input.displayText, "--to", fixture.output.displayText]
    #expect(try fixture.call(words + ["--database", strange]).exitCode == 0)
    #expect(try fixture.call(["status", "--database", strange]).exitCode == 0)
  }

  /// The port stays open while the notifier runs.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func metricsOfANotifier() throws {
    let fixture = try QueueFixture(pictures: 0)
    #expect(try fixture.call("database", "start").exitCode == 0)
    let notifier = try fixture.start(
      [
        "notify", "--webhook", "http://127.0.0.1:1/", "--metrics", "127.0.0.1:0", "--log-format",
        "json",
      ],
      errorsTo: "log"
    )
    defer { notifier.send(signal: SIGTERM) }
    let file = fixture.folder.path("log")
    var endpoint: String?
    try #require(
      try Polling.wait(upTo: .seconds(60)) {
        let text = String(decoding: try file.readAll(), as: UTF8.self)
        guard text.hasSuffix("\n") else { return false }
        endpoint = try log(file).first { $0["event"] == "metricsServed" }?["endpoint"]?.stringValue
        return endpoint != nil
      }
    )
    // Not what is still open from the start: once the notifier has asked the database.
    var text = ""
    let isServed = try Polling.wait(upTo: .seconds(30)) {
      text = try OraclePython.run("exposition.py", arguments: ["http://\(endpoint ?? "")/metrics"])
      return text.contains("rawmill_webhook_deliveries_total")
    }
    #expect(isServed, "\(text)")
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func aWebhookIsToldOnceItCanBe() throws {
    let fixture = try QueueFixture(pictures: 1)
    let secret = "0123456789abcdef-secret"
    try fixture.folder.write(Array("\(secret)\n".utf8), to: "secret")
    var launch = ProgramLaunch(
      try #require(OraclePython.interpreter),
      arguments: [
        PackageFolder.path("Tests/Oracles/webhook_receiver.py").displayText,
        fixture.folder.root.displayText, secret, "500", "hang", "close", "302", "204",
      ]
    )
    launch.diesWithParent = true
    launch.descriptors = [nil, nil, 2]
    let receiver = try RunningProgram.start(launch)
    let portFile = fixture.folder.path("port")
    try #require(
      try Polling.wait(upTo: .seconds(30)) { try portFile.statusIfExists() != nil }
    )
    let port = String(decoding: try portFile.readAll(), as: UTF8.self)
    #expect(try fixture.call("database", "start").exitCode == 0)
    let database = try fixture.connect()
    try database.execute("CREATE ROLE teller LOGIN IN ROLE rawmill_notifier", named: "test")
    func notify() throws -> ProgramRun {
      // The login of a group that may do nothing else.
      let run = try fixture.call(
        "notify",
        "--database",
        fixture.connectionInfo(user: "teller"),
        "--webhook",
        "http://127.0.0.1:\(port)/hooks/very-secret",
        "--secret-file",
        fixture.folder.path("secret").displayText,
        "--timeout",
        "1",
        "--once"
      )
      #expect(run.exitCode == 0, "\(run.errorText)")
      #expect(!(run.errorText + run.outputText).contains("secret"))
      return run
    }
    func posts() throws -> [JSONValue] {
      guard try fixture.folder.path("posts").statusIfExists() != nil else { return [] }
      return try log(fixture.folder.path("posts"))
    }
    // Makes the receiver known: it is told what happens from now on.
    _ = try notify()
    #expect(try fixture.run().exitCode == 0)
    for attempt in 1...5 {
      _ = try notify()
      #expect(try posts().count == attempt)
      // Not yet due again, or delivered: whoever asks now sends nothing.
      _ = try notify()
      #expect(try posts().count == attempt)
      let open = try number(
        database,
        "SELECT count(*) FROM delivery WHERE delivered_at IS NULL AND due_at > now()"
      )
      #expect(open == (attempt < 5 ? 1 : 0))
      try database.execute(
        "UPDATE delivery SET due_at = now() WHERE delivered_at IS NULL",
        named: "test"
      )
    }
    let all = try posts()
    #expect(Set(try all.map { try $0.requireString("body") }).count == 1)
    #expect(Set(try all.map { try $0.requireString("id") }).count == 1)
    #expect(all.allSatisfy { $0["isSigned"] == true && $0["path"] == "/hooks/very-secret" })
    #expect(all.map { $0["attempt"]?.integerValue } == [1, 2, 3, 4, 5])
    let body = try JSONParser.parse(try #require(all.first).requireString("body"))
    #expect(body["event"] == "batchFinished")
    #expect(body["detail"]?["done"] == 1)
    _ = receiver.kill()
  }

  /// A schema that was migrated under a worker: it finishes what it has, says so, and ends with a code of
  /// its own; nothing is lost, and no attempt is wasted.
  @Test func aWorkerThatIsTooOldRefusesPolitely() throws {
    let pictures = 40
    let fixture = try QueueFixture(pictures: pictures)
    #expect(
      try fixture.call("submit", fixture.input.displayText, "--to", fixture.output.displayText)
        .exitCode == 0
    )
    let worker = try fixture.start(
      ["worker", "--slots", "1", "--log-format", "json"],
      errorsTo: "log"
    )
    let database = try fixture.connect()
    try #require(
      try Polling.wait(upTo: .seconds(120)) {
        try number(database, "SELECT count(*) FROM job WHERE outcome = 1") >= 2
      }
    )
    // The next version, while the worker works.
    try fixture.folder.path("next").createDirectories()
    var version = 0
    for name in try PackageFolder.path("migrations").directoryEntries().map(\.name)
    where name.displayText.hasSuffix(".up.sql") {
      version += 1
      try fixture.folder.write(
        try PackageFolder.path("migrations").appending(name).readAll(),
        to: "next/\(name.displayText)"
      )
    }
    let next = String("000\(version + 1)".suffix(4))
    try fixture.folder.write(
      Array(
        "ALTER TABLE job ADD COLUMN later integer; ALTER TABLE lease ADD COLUMN later integer".utf8
      ),
      to: "next/\(next)_later.up.sql"
    )
    let migration = try fixture.call(
      ["database", "migrate"],
      environment: ["RAWMILL_MIGRATIONS": fixture.folder.path("next").displayText]
    )
    #expect(migration.exitCode == 0, "\(migration.errorText)")
    let hasEnded = worker.hasEnded(within: .seconds(90))
    let exit = hasEnded ? worker.wait() : worker.kill()
    #expect(exit.reason == .code(78))
    let events = try log(fixture.folder.path("log"))
    #expect(events.contains { $0["event"] == "workerOutdated" && $0["code"] == "schemaVersion" })
    let done = try self.number(database, "SELECT count(*) FROM job WHERE outcome = 1")
    #expect(Int64(events.count { $0["event"] == "jobDone" }) == done)
    #expect(done < pictures, "it stopped before the end")
    #expect(try self.number(database, "SELECT count(*) FROM lease") == 0)
    #expect(try self.number(database, "SELECT count(*) FROM job WHERE failures + crashes > 0") == 0)
    #expect(
      try self.number(database, "SELECT count(*) FROM job WHERE outcome IS NULL AND ready")
        == Int64(pictures) - done
    )
    // Another of the old version does not even start.
    let again = try fixture.call("worker", "--slots", "1")
    #expect(again.exitCode == 78)
    #expect(again.errorText.contains("which this program does not have"))
    // A program that is newer than the schema says what to do.
    try database.execute(
      "ALTER TABLE job DROP COLUMN later; ALTER TABLE lease DROP COLUMN later; "
        + "DELETE FROM migration WHERE version >= \(version)",
      named: "test"
    )
    let url = try #require(
      try JSONParser.parse(
        String(
          try fixture.call("database", "status", "--json").outputText.split(separator: "\n")[0]
        )
      )["database"]?["connection"]?.stringValue
    )
    let older = try fixture.call("status", "--database", url)
    #expect(older.exitCode == 78)
    #expect(older.errorText.contains("run rawmill database migrate"))
  }

  /// Who may not make roles is told which are missing, each time, and with what to do.
  @Test func aMigrationSaysWhichRolesItCouldNotMake() throws {
    let fixture = try QueueFixture(pictures: 0)
    let admin = try fixture.connect()
    try admin.execute("CREATE ROLE plain LOGIN", named: "test")
    try admin.execute("CREATE DATABASE farm OWNER plain", named: "test")
    let farm = try fixture.connectionInfo(user: "plain", database: "farm")
    for _ in 0..<2 {
      let run = try fixture.call("database", "migrate", "--database", farm)
      #expect(run.exitCode == 0, "\(run.errorText)")
      for part in [
        "rawmill_notifier, rawmill_reader, rawmill_submitter, rawmill_worker",
        "CREATE ROLE rawmill_worker NOLOGIN;", "rawmill database grant",
      ] {
        #expect(run.errorText.contains(part), "\(part) in \(run.errorText)")
      }
    }
    let grant = try fixture.call("database", "grant", "--database", farm)
    #expect(grant.exitCode == 1)
    #expect(grant.errorText.contains("CREATE ROLE rawmill_admin NOLOGIN;"))
    // What is advised helps.
    for name in ["admin", "notifier", "reader", "submitter", "worker"] {
      try admin.execute("CREATE ROLE rawmill_\(name) NOLOGIN", named: "test")
    }
    try admin.execute("CREATE ROLE eye LOGIN IN ROLE rawmill_reader", named: "test")
    let eye = try fixture.connectionInfo(user: "eye", database: "farm")
    let closed = try fixture.call("status", "--database", eye)
    #expect(closed.exitCode == 69)
    #expect(closed.errorText.contains("[schemaClosed]"), "\(closed.errorText)")
    #expect(try fixture.call("database", "grant", "--database", farm).exitCode == 0)
    #expect(try fixture.call("status", "--database", eye).exitCode == 0)
    let again = try fixture.call("database", "migrate", "--database", farm)
    #expect(!again.errorText.contains("missing"))
  }

  @Test func optionsThatMakeNoSense() throws {
    for arguments in [
      ["worker", "--metrics", "example.org:80"], ["worker", "--log-format", "xml"],
      ["notify"], ["notify", "--webhook", "ftp://example.org/"],
      ["notify", "--webhook", "https://user:hunter2@example.org/"],
      ["metrics", "--listen", "1.2.3.4"], ["doctor", "--wait", "0"],
    ] {
      let run = try RawmillRun.call(arguments.map { Array($0.utf8) })
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(!run.errorText.contains("hunter2"))
    }
  }
}
