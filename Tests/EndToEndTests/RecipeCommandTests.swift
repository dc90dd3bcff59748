import FileSystem
import JSON
import TestSupport
import Testing

@Suite struct RecipeCommandTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func write(_ text: String, _ name: String = "r.yaml") throws -> String {
    let path = try folder.write(Array(text.utf8), to: name)
    return try #require(path.exactText)
  }

  @Test func validRecipesAreSaidToBe() throws {
    let yaml = try write("recipe: 1\noutputs: [heic: {}]")
    let json = try write(#"{"recipe": 1, "outputs": [{"heic": {}}]}"#, "r.json")
    let run = try RawmillRun.call("recipe", "check", yaml, json)
    #expect(run.exitCode == 0)
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("\(yaml): valid, 1 output, digest "))
    #expect(lines[0].suffix(64) == lines[1].suffix(64))
  }

  @Test func everyProblemIsNamedWithItsPlace() throws {
    let path = try write("recipe: 1\ndevelop:\n  exposre: 1\n  boostAmount: 2\noutputs: [heic: {}]")
    let run = try RawmillRun.call("recipe", "check", path)
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
    #expect(
      run.errorText == """
        rawmill: \(path):3:3: develop.exposre: unknown key; did you mean exposure?
        rawmill: \(path):4:16: develop.boostAmount: 2 is not valid; expected a number from 0 to 1

        """
    )
  }

  @Test func problemsAreEventsToo() throws {
    let path = try write("recipe: 1\noutputs: [jpeg: {}]")
    let run = try RawmillRun.call("recipe", "check", "--json", path)
    #expect(run.exitCode == 64)
    let event = try JSONParser.parse(run.output)
    #expect(event["event"] == "recipeInvalid")
    #expect(event["code"] == "recipeInvalid")
    #expect(event["problems"]?[0]?["path"] == "outputs[0].jpeg")
    #expect(event["problems"]?[0]?["line"] == 2)
  }

  @Test func aRecipeThatIsNotThereIsAUsageError() throws {
    let run = try RawmillRun.call("recipe", "check", "/nowhere/r.yaml")
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("/nowhere/r.yaml"))
  }

  @Test func theSchemaIsJSON() throws {
    let run = try RawmillRun.call("recipe", "schema")
    #expect(run.exitCode == 0)
    #expect(try JSONParser.parse(run.output)["title"] == "rawmill recipe")
    #expect(try RawmillRun.call("recipe", "schema", "--markdown").outputText.hasPrefix("# "))
  }

  @Test func aWrongRecipeStopsDevelopBeforeAnyWork() throws {
    let path = try write("recipe: 1\ndevelop: {sharpnessAmount: 4}\noutputs: [heic: {}]")
    let target = try #require(folder.path("out").exactText)
    let run = try RawmillRun.call("develop", "/nowhere.dng", "--recipe", path, "--to", target)
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("develop.sharpnessAmount: 4 is not valid"))
    #expect(try folder.path("out").statusIfExists() == nil)
  }
}
