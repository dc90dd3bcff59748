import FileSystem
import JSON
import PostgresClient
import TestSupport
import Testing

/// Linear outputs through the real program, one by one and through the queue.
@Suite(.serialized) struct LinearOutputTests {
  private static let recipe = """
    recipe: 1
    develop: {preset: sensor}
    outputs:
      - linear: {format: tiff, suffix: _scene}
      - linear: {format: exr, colorSpace: acesAP0, sampleFormat: float16}
      - linear: {level: stored, mosaic: planes, format: npy, sampleFormat: uint16}
      - linear: {level: normalized, format: dng}
    """

  private static let endings = [
    "_scene.tiff", "_scene.tiff.json", ".exr", ".exr.json", ".npy", ".npy.json", ".dng",
    ".dng.json",
  ]

  private static func oracle(_ paths: [FilePath]) throws -> [JSONValue] {
    let text = try OraclePython.run("linear_file.py", arguments: paths.map { "\($0)" })
    return try #require(try JSONParser.parse(Array(text.utf8)).arrayValue)
  }

  /// One raw: every file is there, and what other readers see has the digest that its record states.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func developWritesPicturesAndRecords() throws {
    let fixture = try QueueFixture(pictures: 1)
    let recipe = try fixture.folder.write(Array(Self.recipe.utf8), to: "linear.yaml")
    let input = fixture.input.appending("day0/picture1000.dng").displayText
    let arguments = [
      "develop", input, "--recipe", recipe.displayText, "--to", fixture.output.displayText,
    ]
    let run = try fixture.call(arguments + ["--json"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(try fixture.outputNames() == Self.endings.map { "picture1000\($0)" }.sorted())
    let pictures = ["_scene.tiff", ".exr", ".npy"].map {
      fixture.output.appending(FilePath("picture1000\($0)"))
    }
    for (path, report) in zip(pictures, try Self.oracle(pictures)) {
      let record = try JSONParser.parse(try FilePath("\(path).json").readAll())
      #expect(record["samples"]?["sha256"] == report["samplesSHA256"], "\(path)")
      #expect(record["file"]?["height"] == report["shape"]?[0])
      #expect(record["file"]?["width"] == report["shape"]?[1])
    }
    // Nothing is overwritten, and a raw that fails leaves no file.
    let again = try fixture.call(arguments)
    #expect(again.exitCode == 1 && again.errorText.contains("[outputExists]"))
    #expect(try fixture.outputNames().count == Self.endings.count)
  }

  @Test func theQueueKeepsItsRules() throws {
    let fixture = try QueueFixture(pictures: 2)
    let recipe = try fixture.folder.write(Array(Self.recipe.utf8), to: "linear.yaml").displayText
    let run = try fixture.run("--recipe", recipe)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let names = ["day0/picture1000", "day1/picture1001"].flatMap { name in
      Self.endings.map { name + $0 }
    }
    #expect(try fixture.outputNames() == names.sorted())

    let database = try fixture.connect()
    let row = try database.queryOnce(
      """
      SELECT count(*), count(DISTINCT output_id), count(*) FILTER (WHERE format = 'json'),
        count(*) FILTER (WHERE format = 'exr' AND color_space = 'acesAP0' AND bit_depth = 16),
        bool_and((width IS NULL) = (format = 'json'))
      FROM output
      """,
      named: "test"
    )[0]
    #expect(try row.int(0) == 16 && row.int(1) == 8 && row.int(2) == 8 && row.int(3) == 2)
    #expect(try row.bool(4))
    let libraries = try database.queryOnce(
      "SELECT bool_and(libraries ? 'OpenEXR' AND libraries ? 'zlib') FROM provenance",
      named: "libraries"
    )[0]
    #expect(try libraries.bool(0))

    // Running again finds nothing to do; a record that is gone is made anew, with the same bytes.
    let record = fixture.output.appending("day0/picture1000.exr.json")
    let before = try record.readAll()
    #expect(try fixture.run("--recipe", recipe).exitCode == 0)
    try record.removeFileIfExists()
    #expect(try fixture.run("--recipe", recipe).exitCode == 0)
    #expect(try record.readAll() == before)
    #expect(try fixture.outputNames() == names.sorted())
  }

  /// A stranger's file with a record's name stops the job before anything is published.
  @Test func aForeignRecordIsLeftAlone() throws {
    let fixture = try QueueFixture(pictures: 1)
    let recipe = try fixture.folder.write(Array(Self.recipe.utf8), to: "linear.yaml").displayText
    let foreign = try fixture.folder.write([1, 2, 3], to: "out/day0/picture1000.npy.json")
    let run = try fixture.run("--recipe", recipe)
    #expect(run.exitCode == 1)
    #expect(run.outputText.contains("outputExists") || run.errorText.contains("outputExists"))
    #expect(try foreign.readAll() == [1, 2, 3])
    #expect(try fixture.outputNames() == ["day0/picture1000.npy.json"])
  }

  @Test func explainNamesTheFilesAndTheStages() throws {
    let fixture = try QueueFixture(pictures: 1)
    let recipe = try fixture.folder.write(Array(Self.recipe.utf8), to: "linear.yaml").displayText
    let input = fixture.input.appending("day0/picture1000.dng").displayText
    let run = try fixture.call("recipe", "explain", input, "--recipe", recipe, "--plan")
    #expect(run.exitCode == 0, "\(run.errorText)")
    for text in ["{name}_scene.tiff, {name}_scene.tiff.json", "sceneColor", "encode linear"] {
      #expect(run.outputText.contains(text), "\(run.outputText)")
    }
    #expect(!run.outputText.contains("workingColor"))
  }

  /// The recipe that is shipped is valid and makes what it says.
  @Test func theShippedRecipeWorks() throws {
    let fixture = try QueueFixture(pictures: 1)
    let recipe = PackageFolder.path("deploy/recipes/linear-scene.yaml").displayText
    let input = fixture.input.appending("day0/picture1000.dng").displayText
    let run = try fixture.call(
      "develop",
      input,
      "--recipe",
      recipe,
      "--to",
      fixture.output.displayText
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(
      try fixture.outputNames() == [
        "picture1000_planes.npy", "picture1000_planes.npy.json", "picture1000_scene.tiff",
        "picture1000_scene.tiff.json",
      ]
    )
  }
}
