import FileSystem
import JSON
import TestSupport
import Testing

/// Recipes that read files: profiles and looks, from the command line and through the queue.
@Suite struct RecipeFilesTests {
  private let fixture: QueueFixture

  init() throws {
    fixture = try QueueFixture(pictures: 2)
  }

  /// A look that turns every picture into one colour, so that whether it was used is beyond doubt.
  private static let look = "LUT_1D_SIZE 2\n0.5 0.25 0.75\n0.5 0.25 0.75\n"

  private func write(_ text: String, _ name: String) throws -> String {
    try #require(try fixture.folder.write(Array(text.utf8), to: name).exactText)
  }

  private func picture(_ path: FilePath) throws -> [UInt8] { try path.readAll(limit: 1 << 26) }

  @Test func aLookWorksInAllThreeWays() throws {
    _ = try write(Self.look, "recipes/looks/one.cube")
    let recipe = try write(
      "recipe: 1\ndevelop: {extra: {lut: looks/one.cube}}\noutputs: [tiff: {bitDepth: 8}]",
      "recipes/r.yaml"
    )
    let input = try #require(fixture.input.appending("day0/picture1000.dng").exactText)
    let single = try #require(fixture.folder.path("single").exactText)
    let develop = try fixture.call("develop", input, "--recipe", recipe, "--to", single)
    #expect(develop.exitCode == 0, "\(develop.errorText)")
    let run = try fixture.run("--recipe", recipe)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let first = fixture.folder.path("single/picture1000.tiff")
    let queued = fixture.output.appending("day0/picture1000.tiff")
    #expect(try picture(first) == picture(queued))
    // Without the look the picture is another.
    let plain = try write("recipe: 1\noutputs: [tiff: {bitDepth: 8, suffix: _p}]", "p.yaml")
    #expect(try fixture.call("develop", input, "--recipe", plain, "--to", single).exitCode == 0)
    #expect(try picture(first) != picture(fixture.folder.path("single/picture1000_p.tiff")))
    // The look is changed after submission: other work, not the same.
    _ = try write(Self.look.replacing("0.75", with: "0.5"), "recipes/looks/one.cube")
    let explain = try fixture.call("recipe", "explain", input, "--recipe", recipe, "--json")
    #expect(explain.exitCode == 0, "\(explain.errorText)")
    let settings = try JSONParser.parse(explain.output)["settings"]
    #expect(settings?["extra.lut"]?["value"]?["name"] == "one.cube")
    #expect(settings?["extra.lut"]?["value"]?["sha256"]?.stringValue?.count == 64)
    #expect(settings?["extra.lut"]?["origin"] == "recipe")
  }

  @Test func faultsAreNamedBeforeAnyWork() throws {
    _ = try write("LUT_1D_SIZE 2\n0 0 0\n1 1 one\n", "bad.cube")
    let recipe = try write(
      "recipe: 1\ndevelop: {extra: {lut: bad.cube}}\noutputs: [tiff: {}]",
      "r.yaml"
    )
    for command in [["recipe", "check", recipe]] {
      let run = try fixture.call(command[0], command[1], command[2])
      #expect(run.exitCode == 64)
      #expect(run.errorText.contains("bad.cube:3: one is no number"), "\(run.errorText)")
    }
    let missing = try write(
      "recipe: 1\ndevelop: {extra: {profile: none.dcp}}\noutputs: [tiff: {}]",
      "m.yaml"
    )
    let run = try fixture.run("--recipe", missing)
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("none.dcp"), "\(run.errorText)")
  }

  @Test func aPlaceThatIsClippedIsRefusedByName() throws {
    let recipe = try write(
      "recipe: 1\ndevelop: {neutralLocation: {x: 100000, y: 3}}\noutputs: [tiff: {}]",
      "n.yaml"
    )
    let input = try #require(fixture.input.appending("day0/picture1000.dng").exactText)
    let out = try #require(fixture.folder.path("out2").exactText)
    let run = try fixture.call("develop", input, "--recipe", recipe, "--to", out)
    #expect(run.exitCode == 1)
    #expect(
      run.errorText.contains("neutralLocation (100000.0, 3.0) lies outside the picture of 640x480"),
      "\(run.errorText)"
    )
  }
}
