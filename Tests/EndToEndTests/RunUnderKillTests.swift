import Digest
import FileSystem
import Glibc
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// Whatever is killed in the middle: in the end every picture is done once, and nothing is left over.
@Suite(.serialized) struct RunUnderKillTests {
  private let pictures = 30

  private func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  /// Waits until some pictures are done and others are not, while a job runs.
  private func waitForTheMiddle(_ database: PostgresConnection) throws {
    let isThere = try Polling.wait(upTo: .seconds(180)) {
      let schema = try number(
        database,
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'rawmill' AND tablename = 'lease'"
      )
      guard schema == 1 else { return false }
      let done = try number(database, "SELECT count(*) FROM job WHERE outcome = 1")
      let running = try number(database, "SELECT count(*) FROM lease")
      return done >= 2 && done < pictures / 2 && running > 0
    }
    try #require(isThere, "the run never was in its middle")
  }

  /// Every job done, once; every file as recorded; nothing else in the folder.
  private func expectAllDoneOnce(
    _ fixture: QueueFixture,
    _ database: PostgresConnection,
    except: Int = 0
  ) throws {
    let expected = Int64(pictures - except)
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 1") == expected)
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome IS NULL") == 0)
    #expect(try number(database, "SELECT count(*) FROM provenance") == expected)
    #expect(try number(database, "SELECT count(DISTINCT job_id) FROM provenance") == expected)
    #expect(try number(database, "SELECT count(*) FROM lease") == 0)
    let published = try database.queryOnce(
      "SELECT path, size, sha256 FROM output WHERE published_at IS NOT NULL",
      named: "test"
    )
    #expect(published.rowCount == Int(expected))
    for row in 0..<published.rowCount {
      let path = FilePath("/").appending(FilePath(bytes: try published[row].bytes(0)))
      let bytes = try path.readAll()
      #expect(Int64(bytes.count) == (try published[row].int64(1)))
      #expect(SHA256.digest(of: bytes).bytes == (try published[row].bytes(2)))
    }
    let names = try fixture.outputNames()
    #expect(names.count == pictures)
    #expect(names.allSatisfy { $0.hasSuffix(".heic") && !$0.contains("/.") })
  }

  /// The worker process of a run.
  private func worker(of run: borrowing RunningProgram, _ fixture: QueueFixture) throws -> Int32 {
    try #require(try fixture.children(of: run.processID, named: "worker").first)
  }

  @Test func everythingIsDoneAndASecondRunDoesNothing() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let first = try fixture.run()
    #expect(first.exitCode == 0, "\(first.errorText)")
    let database = try fixture.connect()
    try expectAllDoneOnce(fixture, database)
    let claimed = try number(database, "SELECT sum(attempt)::bigint FROM job")
    let second = try fixture.run()
    #expect(second.exitCode == 0)
    #expect(second.outputText.contains("nothing to do"))
    #expect(try number(database, "SELECT sum(attempt)::bigint FROM job") == claimed)
    // A missing output is made again, and only that.
    let victim = try #require(try fixture.outputNames().first)
    try fixture.output.appending(FilePath(victim)).removeFile()
    let third = try fixture.run()
    #expect(third.exitCode == 0, "\(third.errorText)")
    #expect(try fixture.outputNames().count == pictures)
    #expect(try number(database, "SELECT sum(attempt)::bigint FROM job") == claimed + 1)
  }

  @Test func aKilledChildCostsOneAttempt() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let run = try fixture.startRun()
    let database = try fixture.connect()
    try waitForTheMiddle(database)
    let worker = try worker(of: run, fixture)
    let child = try #require(try fixture.children(of: worker, named: "child").first)
    #expect(kill(child, SIGKILL) == 0)
    let hasEnded = run.hasEnded(within: .seconds(240))
    #expect(hasEnded)
    #expect(run.kill().reason == .code(0))
    try expectAllDoneOnce(fixture, database)
    #expect(try number(database, "SELECT sum(crashes)::bigint FROM job") == 1)
  }

  @Test func aKilledWorkerIsReplaced() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let run = try fixture.startRun()
    let database = try fixture.connect()
    try waitForTheMiddle(database)
    let worker = try worker(of: run, fixture)
    let children = try fixture.children(of: worker, named: "child")
    #expect(kill(worker, SIGKILL) == 0)
    // Its children die with it, whatever they do.
    let areGone = Polling.wait(upTo: .seconds(20)) {
      children.allSatisfy { kill($0, 0) != 0 }
    }
    #expect(areGone)
    let hasEnded = run.hasEnded(within: .seconds(240))
    #expect(hasEnded)
    #expect(run.kill().reason == .code(0))
    try expectAllDoneOnce(fixture, database)
    #expect(try number(database, "SELECT count(*) FROM worker") >= 2)
  }

  @Test func aKilledRunGoesOnWhereItWas() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let run = try fixture.startRun()
    let database = try fixture.connect()
    try waitForTheMiddle(database)
    let worker = try worker(of: run, fixture)
    let children = try fixture.children(of: worker, named: "child")
    #expect(run.kill().reason == .signal(SIGKILL))
    let areGone = Polling.wait(upTo: .seconds(20)) {
      ([worker] + children).allSatisfy { kill($0, 0) != 0 }
    }
    #expect(areGone)
    let doneBefore = try number(database, "SELECT count(*) FROM job WHERE outcome = 1")
    #expect(doneBefore < pictures)
    let again = try fixture.run()
    #expect(again.exitCode == 0, "\(again.errorText)")
    try expectAllDoneOnce(fixture, database)
  }

  @Test func aStopGivesBackWhatRuns() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let run = try fixture.startRun()
    let database = try fixture.connect()
    try waitForTheMiddle(database)
    run.send(signal: SIGTERM)
    let hasEnded = run.hasEnded(within: .seconds(60))
    #expect(hasEnded)
    #expect(run.kill().reason == .code(1))
    #expect(try number(database, "SELECT count(*) FROM lease") == 0)
    #expect(try number(database, "SELECT coalesce(sum(crashes + failures), 0) FROM job") == 0)
    #expect(try fixture.outputNames().allSatisfy { $0.hasSuffix(".heic") && !$0.contains("/.") })
    let again = try fixture.run()
    #expect(again.exitCode == 0, "\(again.errorText)")
    try expectAllDoneOnce(fixture, database)
  }

  @Test func aForeignFileStaysAndFailsItsJobAlone() throws {
    let fixture = try QueueFixture(pictures: pictures)
    let foreign = try fixture.folder.write(Array("mine".utf8), to: "out/day0/picture1000.heic")
    let run = try fixture.run()
    #expect(run.exitCode == 1)
    #expect(run.outputText.contains("outputExists"))
    #expect(try foreign.readAll() == Array("mine".utf8))
    let database = try fixture.connect()
    try expectAllDoneOnce(fixture, database, except: 1)
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 2") == 1)
    #expect(try number(database, "SELECT max(attempt)::bigint FROM job WHERE outcome = 2") == 1)
  }
}
