import FileSystem
import Glibc
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// What follows from failures, with the real program: poison, pauses, hosts, a server that goes away.
@Suite(.serialized) struct TroubleEndToEndTests {
  private func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  private func text(_ database: PostgresConnection, _ sql: String) throws -> String {
    try database.queryOnce(sql, named: "test")[0].text(0)
  }

  /// Kills every child of a run's workers as it appears, until the run ends; gives how many.
  private func killChildren(
    of run: borrowing RunningProgram,
    _ fixture: QueueFixture,
    signal: Int32
  ) throws -> Int {
    var killed: Set<Int32> = []
    while !run.hasEnded(within: .milliseconds(2)) {
      for worker in try fixture.children(of: run.processID, named: "worker") {
        for child in try fixture.children(of: worker, named: "child") where kill(child, signal) == 0
        {
          killed.insert(child)
        }
      }
    }
    return killed.count
  }

  @Test(arguments: [SIGKILL, SIGSEGV])
  func aJobThatKillsItsChildFailsAfterTheThird(signal: Int32) throws {
    let fixture = try QueueFixture(pictures: 1)
    let run = try fixture.startRun()
    // A child exists for the job alone: it is started with it, and anew after each death.
    let killed = try killChildren(of: run, fixture, signal: signal)
    #expect(killed == 3)
    #expect(run.kill().reason == .code(1))
    let database = try fixture.connect()
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 2 AND crashes = 3") == 1)
    #expect(try text(database, "SELECT code FROM failure") == "childCrashed")
    let message = try text(database, "SELECT message FROM failure")
    #expect(message.contains("kills its worker"))
    #expect(message.contains("signal \(signal)"))
    #expect(try fixture.outputNames().isEmpty)
    // Without the killer it is done.
    let again = try fixture.run()
    #expect(again.exitCode == 0, "\(again.errorText)")
  }

  @Test func aBatchWhoseJobsFailAlikePausesItself() throws {
    let fixture = try QueueFixture(pictures: 26)
    let run = try fixture.startRun()
    let killed = try killChildren(of: run, fixture, signal: SIGKILL)
    #expect(killed >= 20)
    #expect(run.kill().reason == .code(1))
    let database = try fixture.connect()
    #expect(try number(database, "SELECT count(*) FROM batch WHERE state = 1") == 1)
    let reason = try text(database, "SELECT pause_reason FROM batch")
    #expect(reason.contains("failed in a row with childCrashed"))
    #expect(
      try number(
        database,
        "SELECT count(*) FROM event WHERE kind = 'batchPaused' AND is_notable AND actor = 'rawmill'"
      ) == 1
    )
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 2") == 0)
    let status = try fixture.call("status")
    #expect(status.outputText.contains("paused"), "\(status.outputText)")
    // The same command says what it waits for, and does nothing.
    let waiting = try fixture.run()
    #expect(waiting.exitCode == 1)
    #expect(waiting.errorText.contains("has paused itself"), "\(waiting.errorText)")
    let batch = try number(database, "SELECT id FROM batch WHERE state = 1")
    #expect(try fixture.call("resume", "\(batch)").exitCode == 0)
    let again = try fixture.run()
    #expect(again.exitCode == 0, "\(again.errorText)")
    #expect(try fixture.outputNames().count == 26)
  }

  @Test func aHostThatIsSetAsideWorksWhenItIsAllowedAgain() throws {
    let fixture = try QueueFixture(pictures: 3)
    let host = SystemInformation.hostName
    #expect(
      try fixture.call("host", "set-aside", host, "--minutes", "5", "--reason", "its fan").exitCode
        == 0
    )
    let list = try fixture.call("host", "list")
    #expect(list.outputText.contains("host \(host) is set aside"))
    #expect(list.outputText.contains("its fan"))
    for command in ["status", "watch", "doctor"] {
      let arguments = command == "watch" ? ["--exit"] : []
      let shown = try fixture.call([command] + arguments)
      #expect(shown.outputText.contains("host \(host) is set aside"), "\(command)")
      #expect(shown.outputText.contains("its fan"), "\(command)")
    }
    let run = try fixture.startRun()
    let database = try fixture.connect()
    let isWaiting = try Polling.wait(upTo: .seconds(120)) {
      try number(database, "SELECT count(*) FROM worker WHERE state = 0") == 1
        && number(database, "SELECT count(*) FROM job WHERE ready") == 3
    }
    #expect(isWaiting)
    // The worker has asked for jobs again and again by the time that it has beaten.
    let hasBeaten = try Polling.wait(upTo: .seconds(60)) {
      try number(database, "SELECT max(beat) FROM worker") >= 1
    }
    #expect(hasBeaten)
    #expect(try number(database, "SELECT count(*) FROM job WHERE ready AND attempt = 0") == 3)
    let doctor = try fixture.call("doctor", "--wait", "1")
    #expect(doctor.exitCode == 1)
    #expect(doctor.outputText.contains("[hostsSetAside]"), "\(doctor.outputText)")
    #expect(!doctor.outputText.contains("[batchStuck]"))
    #expect(try fixture.call("host", "allow", host).exitCode == 0)
    let hasEnded = run.hasEnded(within: .seconds(240))
    #expect(hasEnded)
    #expect(run.kill().reason == .code(0))
    #expect(
      try number(
        database,
        "SELECT count(*) FROM event WHERE kind IN ('hostSetAside', 'hostAllowed')"
      ) == 2
    )
  }

  /// The server ends without a word and comes back: nothing is lost, nothing is counted as a failure.
  @Test func aServerThatGoesAwayIsWaitedFor() throws {
    let fixture = try QueueFixture(pictures: 12)
    let run = try fixture.startRun()
    do {
      let database = try fixture.connect()
      let isInTheMiddle = try Polling.wait(upTo: .seconds(180)) {
        let schema = try number(
          database,
          "SELECT count(*) FROM pg_tables WHERE schemaname = 'rawmill' AND tablename = 'lease'"
        )
        guard schema == 1 else { return false }
        return try number(database, "SELECT count(*) FROM job WHERE outcome = 1") >= 1
      }
      #expect(isInTheMiddle)
    }
    #expect(try fixture.call("database", "stop").exitCode == 0)
    let hasGivenUp = run.hasEnded(within: .seconds(3))
    #expect(!hasGivenUp)
    let database = try fixture.connect()
    let hasEnded = run.hasEnded(within: .seconds(240))
    #expect(hasEnded)
    #expect(run.kill().reason == .code(0))
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 1") == 12)
    #expect(
      try number(database, "SELECT sum(failures + crashes + host_faults)::bigint FROM job") == 0
    )
    #expect(try number(database, "SELECT count(*) FROM lease") == 0)
    #expect(try fixture.outputNames().count == 12)
    #expect(try fixture.outputNames().allSatisfy { !$0.contains("/.") })
  }

  @Test func aBatchIsDeletedOnlyWhenThatIsConfirmed() throws {
    let fixture = try QueueFixture(pictures: 3)
    #expect(try fixture.run().exitCode == 0)
    let database = try fixture.connect()
    let batch = try number(database, "SELECT max(batch_id) FROM job")
    let asked = try fixture.call("database", "delete-batch", "\(batch)")
    #expect(asked.exitCode == 64)
    #expect(asked.outputText.contains("--confirm"))
    #expect(try number(database, "SELECT count(*) FROM output") == 3)
    let done = try fixture.call("database", "delete-batch", "\(batch)", "--confirm")
    #expect(done.exitCode == 0, "\(done.errorText)")
    for table in ["job", "output", "provenance", "progress", "target"] {
      #expect(try number(database, "SELECT count(*) FROM \(table)") == 0)
    }
    #expect(try fixture.outputNames().count == 3)
    let pruned = try fixture.call("database", "prune", "--older-than", "90d")
    #expect(pruned.outputText == "nothing is that old\n")
    #expect(try fixture.call("database", "prune", "--older-than", "soon").exitCode == 64)
  }
}
