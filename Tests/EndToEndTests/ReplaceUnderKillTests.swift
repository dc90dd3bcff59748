import Digest
import FileSystem
import Glibc
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// A replacement is killed after each single call that changes the file system.
///
/// A library that is preloaded into the program counts these calls and sends SIGKILL after a chosen one
/// (Tests/Failpoints), so that every step is met, without a clock.
@Suite(.serialized) struct ReplaceUnderKillTests {
  /// The library, compiled once, with the folder that it lies in; nil where there is no compiler.
  private static let library: (folder: TemporaryDirectory, path: FilePath)? = {
    guard let folder = try? TemporaryDirectory() else { return nil }
    let path = folder.path("failpoints.so")
    let source = PackageFolder.path("Tests/Failpoints/failpoints.c").displayText
    for compiler in ["clang", "cc"] {
      let run = try? ProgramRun.run(
        "/usr/bin/env",
        arguments: [compiler, "-shared", "-fPIC", "-o", path.displayText, source, "-ldl"]
      )
      if run?.exit.isSuccess == true { return (folder, path) }
    }
    return nil
  }()
  private static let missingComment: Comment = "no C compiler for Tests/Failpoints"

  private func environment(
    _ fixture: ArchiveFixture,
    at number: Int?
  ) throws -> [String: String] {
    let library = try #require(Self.library).path
    var variables = [
      "LD_PRELOAD": library.displayText,
      "RAWMILL_FAILPOINT_LOG": fixture.folder.path("calls").displayText,
    ]
    if let number {
      let token = try fixture.folder.write([], to: "token")
      variables["RAWMILL_FAILPOINT_AT"] = "\(number)"
      variables["RAWMILL_FAILPOINT_TOKEN"] = token.displayText
    }
    return variables
  }

  /// The calls of a replacement that nothing disturbs.
  private func calls(_ fixture: ArchiveFixture) throws -> [String] {
    let log = fixture.folder.path("calls")
    let run = try fixture.replace(environment: environment(fixture, at: nil))
    #expect(run.exitCode == 0, "\(run.errorText)")
    let text = String(decoding: try log.readAll(), as: UTF8.self)
    try log.removeFile()
    return text.split(separator: "\n").map { String($0.split(separator: " ")[1]) }
  }

  /// Lets a job that was interrupted be tried again at once.
  private func withoutDelays(_ database: PostgresConnection) throws {
    try database.execute(
      """
      CREATE FUNCTION at_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.base_delay_ms = 0; NEW.maximum_crashes = 9; RETURN NEW; END $$;
      CREATE TRIGGER at_once BEFORE INSERT ON rawmill.batch
        FOR EACH ROW EXECUTE FUNCTION at_once()
      """,
      named: "test"
    )
  }

  @Test(.enabled(if: library != nil, missingComment), arguments: [true, false])
  func aCrashAtAnyPointLeavesOneWholeFileAndARerunFinishes(keepsOriginals: Bool) throws {
    let fixture = try ArchiveFixture(pictures: 1)
    let original = try ArchiveFixture.original.get()
    func run(_ environment: [String: String]) throws -> ProgramRun {
      if keepsOriginals { return try fixture.replace(environment: environment) }
      return try fixture.queue.call(
        [
          "run", fixture.input.displayText, "--recipe", fixture.recipe.displayText, "--replace",
          "--delete-originals", "--slots", "1",
        ],
        environment: environment
      )
    }
    let database = try fixture.queue.connect()
    // The first run makes the schema, and tells how many calls there are and what comes out.
    let calls = try calls(fixture)
    let new = try fixture.path(0).readAll()
    #expect(new != original)
    #expect(calls.contains("link") && calls.contains("rename"), "\(calls)")
    try withoutDelays(database)

    // Up to where the original gets its second name both ways are one.
    let first = keepsOriginals ? 0 : max(0, (calls.firstIndex(of: "link") ?? 0) - 1)
    for number in first...calls.count {
      // A file of its own time, and so a job of its own.
      try fixture.write(0)
      if try fixture.originals.statusIfExists() != nil { try fixture.originals.removeTree() }
      let before = try fixture.path(0).status()
      let crashed = try run(try environment(fixture, at: number))
      let place = "after call \(number) of \(calls)"
      let wasKilled = crashed.exit.reason == .signal(SIGKILL)
      // Without originals there are fewer calls than the first run had.
      if !keepsOriginals, !wasKilled {
        #expect(crashed.exitCode == 0, "\(place): \(crashed.errorText)")
        break
      }
      #expect(wasKilled, "\(place): \(crashed.exit) \(crashed.errorText)")

      let found = try fixture.path(0).readAll()
      #expect(found == original || found == new, "\(place): a torn file")
      if found == new, keepsOriginals {
        #expect(try fixture.kept(0).readAll() == original, "\(place): the original is lost")
      }

      let again = try run([:])
      #expect(again.exitCode == 0, "\(place): \(again.errorText)\(again.outputText)")
      #expect(try fixture.path(0).readAll() == new, "\(place)")
      let status = try fixture.path(0).status()
      #expect(status.mtimeNanoseconds == before.mtimeNanoseconds, "\(place)")
      #expect(try fixture.inputNames() == [ArchiveFixture.name(0)], "\(place)")
      if keepsOriginals {
        #expect(try fixture.kept(0).readAll() == original, "\(place)")
        #expect(try fixture.kept(0).parent.directoryEntries().count == 1, "\(place)")
      }
      let open = """
        SELECT (SELECT count(*) FROM job WHERE outcome IS DISTINCT FROM 1)
          + (SELECT count(*) FROM replacement WHERE replaced_at IS NULL)
          + (SELECT count(*) FROM lease)
        """
      #expect(try fixture.number(database, open) == 0, "\(place)")
      let rows = "SELECT count(*) - count(DISTINCT job_id) FROM provenance"
      #expect(try fixture.number(database, rows) == 0, "\(place)")
    }
  }
}
