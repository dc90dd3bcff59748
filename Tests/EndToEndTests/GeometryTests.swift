import FileSystem
import JSON
import TestSupport
import Testing

/// What recipes say of size, crop, turning, lens and drafts, alone and through the queue.
@Suite struct GeometryTests {
  private let fixture: QueueFixture

  init() throws {
    fixture = try QueueFixture(pictures: 1)
  }

  private func write(_ develop: String, outputs: String, _ name: String) throws -> String {
    let text = "recipe: 1\ndevelop: {\(develop)}\noutputs: [\(outputs)]"
    return try #require(try fixture.folder.write(Array(text.utf8), to: name).exactText)
  }

  /// Develops one file; the last event of the command and the picture's bytes.
  private func developed(
    _ input: String,
    _ develop: String,
    as name: String
  ) throws -> (size: [JSONValue?], settings: JSONValue?, bytes: [UInt8]) {
    let recipe = try write(develop, outputs: "tiff: {bitDepth: 8}", "\(name).yaml")
    let target = fixture.folder.path(name)
    let run = try fixture.call(
      "develop",
      input,
      "--recipe",
      recipe,
      "--to",
      try #require(target.exactText),
      "--json"
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    let events = try run.outputText.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    let report = try #require(events.last?["report"])
    let output = try #require(events.first { $0["event"] == "output" }?["report"])
    let entry = try #require(try target.directoryEntries().first)
    return (
      [output["width"], output["height"]],
      report["resolvedSettings"],
      try target.appending(entry.name).readAll(limit: 1 << 28)
    )
  }

  private var picture: String {
    get throws { try #require(fixture.input.appending("day0/picture1000.dng").exactText) }
  }

  @Test(arguments: [
    ("scaleFactor: 0.3", 192, 144), ("isDraftModeEnabled: true", 320, 240),
    ("orientation: 6", 480, 640),
    ("extra: {crop: {left: 0.25, right: 0.75, bottom: 0.5}}", 320, 240),
    ("orientation: 8, scaleFactor: 0.5, extra: {crop: {top: 0.5}}", 240, 160),
  ])
  func sizesAreWhatIsAsked(develop: String, width: Int, height: Int) throws {
    let result = try developed(try picture, develop, as: "out")
    #expect(result.size == [.init(width), .init(height)])
    let name = try #require(develop.split(separator: ":").first.map(String.init))
    #expect(result.settings?[name == "extra" ? "extra.crop" : name]?["origin"] == "recipe")
  }

  /// The queue's picture is the same, and its row says what was done.
  @Test func theQueueDoesTheSame() throws {
    let develop =
      "orientation: 8, scaleFactor: 0.4, sharpnessAmount: 0.5, extra: {crop: {top: 0.2}}"
    let single = try developed(try picture, develop, as: "single")
    let recipe = try write(develop, outputs: "tiff: {bitDepth: 8}", "queue.yaml")
    let run = try fixture.run("--recipe", recipe)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let queued = fixture.output.appending("day0/picture1000.tiff")
    #expect(try queued.readAll(limit: 1 << 28) == single.bytes)
  }

  /// A raw of floating-point samples is developed as its integers are.
  @Test func floatingPoint() throws {
    let recipe = try write(
      "",
      outputs: "dng: {compression: deflate, bitDepth: float32}",
      "float.yaml"
    )
    let target = fixture.folder.path("float")
    let run = try fixture.call(
      "develop",
      try picture,
      "--recipe",
      recipe,
      "--to",
      try #require(target.exactText)
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    let entry = try #require(try target.directoryEntries().first)
    let float = try #require(target.appending(entry.name).exactText)
    let integers = try developed(try picture, "exposure: 0.25", as: "integers")
    let floats = try developed(float, "exposure: 0.25", as: "floats")
    #expect(floats.size == integers.size)
    var worst = 0
    for (a, b) in zip(floats.bytes.suffix(640 * 480 * 3), integers.bytes.suffix(640 * 480 * 3)) {
      worst = max(worst, abs(Int(a) - Int(b)))
    }
    // The file's own metadata stands before the picture, which may round the other way.
    #expect(worst <= 1)
  }

  /// A file with a warp: it is applied unless the recipe says otherwise, and then that is reported.
  @Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func lensCorrection() throws {
    let bytes = try Corpus.bytes("photos/fusion_lossless.dng")
    let input = try #require(try fixture.folder.write(bytes, to: "fusion.dng").exactText)
    let on = try developed(input, "scaleFactor: 0.25", as: "on")
    #expect(on.settings?["isLensCorrectionEnabled"] == ["value": true, "origin": "default"])
    #expect(on.settings?["skippedOpcodes"] == nil)
    let off = try developed(
      input,
      "scaleFactor: 0.25, isLensCorrectionEnabled: false",
      as: "off"
    )
    #expect(off.settings?["isLensCorrectionEnabled"] == ["value": false, "origin": "recipe"])
    #expect(off.settings?["skippedOpcodes"]?["value"]?[0]?.stringValue?.contains("Warp") == true)
    #expect(off.size == on.size)
    #expect(off.bytes != on.bytes)
    let plan = try fixture.call("recipe", "explain", input, "--plan")
    #expect(plan.outputText.contains(/warpRectilinear +picture/), "\(plan.outputText)")
    // The flags that are false are named.
    #expect(!plan.outputText.contains("isLensCorrectionSupported"))
    let plain = try fixture.call("recipe", "explain", try picture)
    #expect(plain.outputText.contains("isLensCorrectionSupported"))
  }
}
