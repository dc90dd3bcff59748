import FileSystem
import Glibc
import JSON
import PostgresClient
import ProcessControl
import Raster
import SampleScene
import TestSupport
import Testing

/// People steer a farm with the real program.
@Suite(.serialized) struct SteeringCommandTests {
  private func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  private func lines(_ run: ProgramRun) throws -> [JSONValue] {
    try run.outputText.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  /// Waits until a query gives at least this.
  private func wait(_ database: PostgresConnection, _ sql: String, atLeast least: Int64) throws {
    let isThere = try Polling.wait(upTo: .seconds(120)) { try number(database, sql) >= least }
    try #require(isThere, "\(sql)")
  }

  @Test func commandsMayBeGivenTwiceAndNameWhatIsMissing() throws {
    let fixture = try QueueFixture(pictures: 2)
    let submit = try fixture.call(
      "submit",
      fixture.input.displayText,
      "--to",
      fixture.output.displayText,
      "--name",
      "shoot",
      "--priority",
      "-2",
      "--weight",
      "1.5",
      "--cap",
      "3"
    )
    #expect(submit.exitCode == 0, "\(submit.errorText)")
    for (words, text) in [
      (["pause", "1", "--reason", "the share moves"], "batch 1 is paused"),
      (["pause", "1"], "paused already"), (["resume", "1"], "goes on"),
      (["resume", "1"], "was not paused"), (["priority", "1", "-7"], "priority -7; it had -2"),
      (["weight", "1", "2.5"], "weight 2.5; it had 1.5"), (["cap", "1", "none"], "it had 3"),
      (["cap", "1", "4"], "a cap of 4; it had none"), (["errors", "1"], "no failed jobs"),
      (["retry", "1"], "no failed job"), (["cancel", "1"], "0 done, 2 cancelled"),
      (["cancel", "1"], "cancelled already"), (["pause", "1"], "nothing to pause"),
      (["status"], "batch 1 shoot, cancelled"),
    ] {
      let run = try fixture.call(words)
      #expect(run.exitCode == 0, "\(words): \(run.errorText)")
      #expect(run.outputText.contains(text), "\(words): \(run.outputText)")
    }
    for words in [
      ["pause", "9"], ["resume", "9"], ["cancel", "9"], ["priority", "9", "1"],
      ["weight", "9", "1"],
      ["cap", "9", "1"], ["retry", "9"], ["errors", "9"], ["drain", "9"], ["report", "9"],
      ["watch", "9"], ["retry", "1"], ["cap", "1", "0"], ["weight", "1", "0"], ["priority", "1"],
      ["pause", "x"],
    ] {
      let run = try fixture.call(words)
      #expect(run.exitCode == 64, "\(words): \(run.outputText) \(run.errorText)")
      #expect(run.errorText.contains("Error: "), "\(words)")
    }
    let events = try lines(try fixture.call("status", "--json"))
    #expect(events.first?["batch"]?["priority"]?.integerValue == -7)
    #expect(events.first?["batch"]?["weight"]?.doubleValue == 2.5)
  }

  /// A running job stops within two beats of its worker, even where its process stands still.
  @Test func cancelStopsWhatRuns() throws {
    let fixture = try QueueFixture(pictures: 0)
    let large = try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 4_000, height: 3_000),
      scheduler: TileScheduler(laneCount: 2)
    )
    for name in ["a", "b", "c"] { try fixture.folder.write(large, to: "in/\(name).dng") }
    let submit = try fixture.call(
      "submit",
      fixture.input.displayText,
      "--to",
      fixture.output.displayText
    )
    #expect(submit.exitCode == 0, "\(submit.errorText)")
    let database = try fixture.connect()
    let worker = try fixture.start(["worker", "--slots", "1"])
    try wait(database, "SELECT count(*) FROM lease", atLeast: 1)
    var found: Int32?
    _ = try Polling.wait(upTo: .seconds(60)) {
      found = try fixture.children(of: worker.processID, named: "child").first
      return found != nil
    }
    let child = try #require(found)
    #expect(kill(child, SIGSTOP) == 0)
    let leases = try number(database, "SELECT count(*) FROM lease")
    try #require(leases == 1, "the job had ended before it could be held")
    let beats = "SELECT max(beat) FROM worker"
    let cancel = try fixture.call("cancel", "1")
    // From here on, for on a busy machine a program's start takes longer than a beat.
    let before = try number(database, beats)
    #expect(cancel.exitCode == 0, "\(cancel.errorText)")
    #expect(cancel.outputText.contains("1 end with their workers"), "\(cancel.outputText)")
    let isStopped = try Polling.wait(upTo: .seconds(60)) {
      try number(database, "SELECT count(*) FROM lease") == 0
    }
    #expect(isStopped)
    // The beat that was under way, and two more.
    #expect(try number(database, beats) <= before + 3)
    #expect(try number(database, "SELECT count(*) FROM job WHERE outcome = 3") == 3)
    #expect(try fixture.outputNames().isEmpty)
    worker.send(signal: SIGTERM)
    let hasEnded = worker.hasEnded(within: .seconds(60))
    #expect(hasEnded)
    #expect(worker.kill().reason == .code(0))
    let watch = try fixture.call("watch", "1", "--exit")
    #expect(watch.exitCode == 1)
    #expect(watch.outputText.contains("cancelled"))
  }

  /// What failed is listed with a command that does it again; the farm tells when it is over.
  @Test func failuresAreRetriedAndTheEndIsTold() throws {
    let fixture = try QueueFixture(pictures: 4)
    let foreign = try fixture.folder.write(Array("mine".utf8), to: "out/day0/picture1000.heic")
    let told = fixture.folder.path("told")
    let run = try fixture.call(
      ["run", fixture.input.displayText, "--to", fixture.output.displayText]
        + ["--on-finish", "echo $RAWMILL_STATE $RAWMILL_DONE $RAWMILL_FAILED >\(told)"]
    )
    #expect(run.exitCode == 1)
    #expect(try told.readAll() == Array("failed 3 1\n".utf8))
    let errors = try fixture.call("errors")
    #expect(errors.outputText.contains("1 outputExists, permanent"), "\(errors.outputText)")
    #expect(errors.outputText.contains("picture1000.dng"))
    #expect(errors.outputText.contains("rawmill retry 1 --code outputExists"))
    let event = try #require(try lines(try fixture.call("errors", "1", "--json")).first)
    #expect(event["count"]?.integerValue == 1)
    #expect(event["retry"]?.stringValue == "rawmill retry 1 --code outputExists")

    try foreign.removeFile()
    #expect(try fixture.call("retry", "1", "--code", "other").outputText.contains("no failed job"))
    let input = fixture.input.appending("day0/picture1000.dng").displayText
    let retry = try fixture.call("retry", "1", "--code", "outputExists", "--file", input)
    #expect(retry.outputText.contains("1 failed job done again"), "\(retry.outputText)")
    let worker = try fixture.start(["worker", "--slots", "1"])
    let watch = try fixture.call(
      ["watch", "1", "--json"]
        + ["--on-finish", "echo $RAWMILL_BATCH $RAWMILL_STATE $RAWMILL_DONE >\(told); exit 7"]
    )
    #expect(watch.exitCode == 7, "\(watch.errorText)")
    #expect(try told.readAll() == Array("1 finished 4\n".utf8))
    let farm = try #require(try lines(watch).last { $0["event"]?.stringValue == "farm" })
    #expect(farm["farm"]?["batches"]?[0]?["isOver"]?.boolValue == true)
    // Drained from outside it ends by itself.
    let id = try number(try fixture.connect(), "SELECT max(id) FROM worker WHERE state < 2")
    #expect(try fixture.call("drain", "\(id)").outputText.contains("claims no more"))
    let hasEnded = worker.hasEnded(within: .seconds(60))
    #expect(hasEnded)
    #expect(worker.kill().reason == .code(0))
  }

  @Test func reportsHaveEverythingInEveryFormat() throws {
    let fixture = try QueueFixture(pictures: 3)
    let hostile = "<script>alert(1)</script> | `x`.dng".replacing("/", with: "_")
    try fixture.folder.write([1, 2, 3], to: "in/" + hostile)
    let run = try fixture.run()
    #expect(run.exitCode == 1)
    let csv = try fixture.call("report", "1", "--format", "csv")
    let rows = csv.outputText.split(separator: "\r\n")
    #expect(rows.count == 5)
    #expect(rows.filter { $0.contains(",done,") }.count == 3)
    #expect(rows.filter { $0.contains(",failed,") }.count == 1)
    let json = try JSONParser.parse(try fixture.call("report", "1", "--format", "json").outputText)
    #expect(json["batch"]?["done"]?.integerValue == 3)
    #expect(json["seconds"]?["count"]?.integerValue == 3)
    #expect(json["failures"]?[0]?["count"]?.integerValue == 1)
    #expect(json["engines"]?.arrayValue?.count == 1)
    #expect(json["recipes"]?[0]?["jobs"]?.integerValue == 3)
    let markdown = try fixture.call("report", "1").outputText
    #expect(markdown.contains("| Done | 3 |"))
    #expect(markdown.contains("\\<script\\>"), "\(markdown)")
    let html = try fixture.call("report", "1", "--format", "html").outputText
    #expect(html.hasPrefix("<!DOCTYPE html>"))
    #expect(html.contains("&lt;script&gt;"))
    #expect(!html.contains("<script"))
    #expect(html.contains("<svg"))
    let pictures = html.matches(of: /src="data:image\/jpeg;base64,([^"]+)"/).map { String($0.1) }
    #expect(pictures.count == 3)
    for picture in pictures {
      let jpeg = try #require(Base64.decode(picture))
      #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && jpeg.count <= 24_000)
    }
    #expect(html.contains("width=\"240\" height=\"180\""))
    #expect(html.contains("</bdi>: it is no HEIC, no TIFF of plain RGB, and no DNG with a preview"))
    // Nothing is fetched: the one address is the name of SVG's namespace.
    let words = html.replacing(/base64,[^"]+/, with: "")
    for part in words.split(separator: "http").dropFirst() {
      #expect(
        part.hasPrefix("://www.w3.org/2000/svg") || part.hasPrefix("-equiv"),
        "\(part.prefix(40))"
      )
    }
    // Outputs that went, were changed, or are links to elsewhere are named; the report is whole.
    let outputs = try fixture.outputNames().sorted().map { fixture.output.appending(FilePath($0)) }
    try #require(outputs.count == 3)
    try outputs[0].removeFile()
    let other = try FileDescriptor.open(outputs[1], .readWriteCreating(permissions: 0o644))
    try other.write([1, 2, 3], at: 10_000_000)
    let rest = try fixture.call("report", "1", "--format", "html")
    #expect(rest.exitCode == 0, "\(rest.errorText)")
    #expect(rest.outputText.matches(of: /src="data:/).count == 1)
    #expect(rest.outputText.contains("No such file or directory"))
    #expect(rest.outputText.contains("it was changed: it has 10000003 bytes"))
    #expect(rest.outputText.contains("<h2>Provenance</h2>"))
    let none = try fixture.call("report", "1", "--format", "html", "--pictures", "0")
    #expect(!none.outputText.contains("<img") && !none.outputText.contains("Not shown"))
  }

  /// A folder of a root that is a link to elsewhere is not followed out of the root.
  @Test func picturesAreReadWithinTheirRootsAlone() throws {
    let fixture = try QueueFixture(pictures: 1)
    let root = "out=\(fixture.output.displayText)"
    #expect(try fixture.run("--root", root).exitCode == 0)
    let inside = try fixture.call("report", "1", "--format", "html", "--root", root)
    #expect(inside.outputText.contains("src=\"data:"), "\(inside.errorText)")
    let unknown = try fixture.call("report", "1", "--format", "html")
    #expect(unknown.exitCode == 0)
    #expect(!unknown.outputText.contains("src=\"data:"))
    #expect(unknown.outputText.contains("root out"))
    let elsewhere = fixture.folder.path("elsewhere")
    let day = fixture.output.appending("day0")
    try #require(unsafe rename(day.displayText, elsewhere.displayText) == 0)
    try #require(unsafe symlink(elsewhere.displayText, day.displayText) == 0)
    let linked = try fixture.call("report", "1", "--format", "html", "--root", root)
    #expect(!linked.outputText.contains("src=\"data:"))
    #expect(linked.outputText.contains("leads out of its root"))
  }
}
