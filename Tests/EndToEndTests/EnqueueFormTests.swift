import FileSystem
import Glibc
import JSON
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// The ways in which inputs are named, with the real program and a real queue.
@Suite(.serialized) struct EnqueueFormTests {
  private func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  private func submit(_ fixture: QueueFixture, _ words: [String]) throws -> ProgramRun {
    try fixture.call(["submit"] + words + ["--to", fixture.output.displayText])
  }

  @Test func patternsAndListsNameTheSameWork() throws {
    let fixture = try QueueFixture(pictures: 6)
    let input = fixture.input.displayText
    try fixture.folder.write(Array("no raw".utf8), to: "in/day0/notes.txt")
    let pattern = try submit(fixture, ["\(input)/**/picture*"])
    #expect(pattern.exitCode == 0, "\(pattern.errorText)")
    #expect(pattern.outputText.contains("batch 1: 6 pictures"), "\(pattern.outputText)")
    let database = try fixture.connect()
    #expect(
      try number(
        database,
        "SELECT count(*) FROM job WHERE convert_from(output_paths[1], 'UTF8') LIKE '%/out/day_/picture%'"
      ) == 6
    )
    // The same by a folder, and by a list with the folder as its base: nothing is new.
    let names = try fixture.input.fileNamesBelow().filter { $0.hasSuffix(".dng") }
    let list = try fixture.folder.write(
      Array(names.map { "\(input)/\($0)" }.joined(separator: "\n").utf8),
      to: "list"
    )
    for words in [[input], ["--files-from", list.displayText, "--base", input]] {
      let again = try submit(fixture, words)
      #expect(again.exitCode == 0, "\(again.errorText)")
    }
    #expect(try number(database, "SELECT count(*) FROM job") == 6)
    let nothing = try submit(fixture, ["\(input)/*.png"])
    #expect(nothing.exitCode == 64)
    #expect(nothing.errorText.contains("nothing matches"))
    #expect(try submit(fixture, []).exitCode == 64)
  }

  @Test func linesOverrideTheRecipe() throws {
    let fixture = try QueueFixture(pictures: 3)
    let input = fixture.input.displayText
    let recipe = try fixture.folder.write(
      Array("recipe: 1\ndevelop: {exposure: 0.25}\noutputs:\n  - heic: {quality: 0.5}\n".utf8),
      to: "recipe.yaml"
    )
    let lines = try fixture.folder.write(
      Array(
        """
        {"input": "\(input)/day0/picture1000.dng"}
        {"input": "\(input)/day1/picture1001.dng", "recipe": {"develop": {"exposure": 1}}, "priority": 5}
        {"input": "\(input)/day1/picture1001.dng", "recipe": {"develop": {"exposure": null}}, "output": "client/second"}
        """.utf8
      ),
      to: "images.jsonl"
    )
    let words = [
      "--jsonl", lines.displayText, "--recipe", recipe.displayText, "--base", input,
    ]
    let submitted = try submit(fixture, words)
    #expect(submitted.exitCode == 0, "\(submitted.errorText)")
    #expect(submitted.outputText.contains("3 pictures"), "\(submitted.outputText)")
    let database = try fixture.connect()
    #expect(try number(database, "SELECT count(DISTINCT recipe_digest) FROM job") == 3)
    #expect(try number(database, "SELECT count(*) FROM job WHERE priority = 5") == 1)
    let rows = try database.queryOnce(
      """
      SELECT r.canonical::json #>> '{develop,exposure}', convert_from(j.output_paths[1], 'UTF8')
      FROM job j JOIN recipe r ON r.digest = j.recipe_digest ORDER BY j.id
      """,
      named: "test"
    )
    #expect(
      try rows.map { (row) throws(PostgresError) in try row.optionalText(0) } == ["0.25", "1", nil]
    )
    #expect(try rows[1].text(1).hasSuffix("/out/day1/picture1001.heic"))
    #expect(try rows[2].text(1).hasSuffix("/out/client/second.heic"))
    // Again: all are there, as live jobs of the first batch.
    let again = try submit(fixture, words)
    #expect(again.outputText.contains("nothing to do, 3 in batch 1 already"), "\(again.outputText)")
    #expect(try number(database, "SELECT count(*) FROM job") == 3)

    for (line, text) in [
      (#"{"input": "a", "recipe": {"develop": {"exposur": 1}}}"#, "bad.jsonl:1: develop.exposur"),
      (#"{"input": "a", "recipes": {}}"#, "did you mean recipe?"),
      (#"{"input": "a", "recipe": {"outputs": []}}"#, "bad.jsonl:1: outputs"),
    ] {
      let bad = try fixture.folder.write(Array(line.utf8), to: "bad.jsonl")
      let run = try submit(fixture, ["--jsonl", bad.displayText])
      #expect(run.exitCode == 64)
      #expect(run.errorText.contains(text), "\(run.errorText)")
    }
  }

  @Test func anEarlyLookTakesTheEndsAndTheMiddleFirst() throws {
    let fixture = try QueueFixture(pictures: 15)
    let run = try submit(fixture, [fixture.input.displayText, "--order", "early-look"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    let rows = try fixture.connect().queryOnce(
      """
      SELECT substring(convert_from(input_path, 'UTF8') FROM 'day(.*)[.]dng')
      FROM job ORDER BY priority DESC, id
      """,
      named: "test"
    )
    let order = try rows.map { (row) throws(PostgresError) in try row.text(0) }
    // Five frames a folder: 1000, 1003 … 1012 in day0, and so on.
    #expect(
      order == [
        "0/picture1000", "1/picture1001", "2/picture1002", "0/picture1012", "1/picture1013",
        "2/picture1014", "0/picture1006", "1/picture1007", "2/picture1008", "0/picture1003",
        "0/picture1009", "1/picture1004", "1/picture1010", "2/picture1005", "2/picture1011",
      ]
    )
  }

  /// A submission that is killed half-way, and given again, is the whole set once.
  @Test func aKilledSubmissionIsMadeUpFor() throws {
    let fixture = try QueueFixture(pictures: 1)
    let first = fixture.input.appending("day0/picture1000.dng")
    let count = 25_000
    var list: [UInt8] = []
    try fixture.folder.path("many").createDirectories()
    for index in 0..<count {
      let path = fixture.folder.path("many/\(index).dng")
      let linked = unsafe link(first.displayText, path.displayText)
      #expect(linked == 0)
      list += path.bytes + [0]
    }
    let file = try fixture.folder.write(list, to: "list")
    let words = ["submit", "--files-from", file.displayText, "--to", fixture.output.displayText]
    _ = try fixture.call("database", "start")
    let database = try fixture.connect()
    let submission = try fixture.start(words)
    let jobs = "SELECT count(*) FROM job"
    let hasBegun = try Polling.wait(upTo: .seconds(120)) { try number(database, jobs) > 0 }
    try #require(hasBegun)
    // Between two slices: the next one waits for this lock, and dies waiting.
    try database.execute("BEGIN; LOCK TABLE job IN SHARE MODE", named: "test")
    let half = try number(database, jobs)
    #expect(submission.kill().reason == .signal(SIGKILL))
    try database.execute("COMMIT", named: "test")
    #expect(half > 0 && half < count, "\(half)")
    let again = try fixture.call(words)
    #expect(again.exitCode == 0, "\(again.errorText)")
    #expect(try number(database, jobs) == count)
    #expect(try number(database, "SELECT count(DISTINCT input_path) FROM job") == count)
    #expect(try number(database, "SELECT sum(total)::bigint FROM batch") == count)
    let third = try fixture.call(words)
    #expect(third.exitCode == 0)
    #expect(try number(database, jobs) == count)
  }
}
