import Recipe
import Testing

@Suite struct OutputFileTests {
  @Test func linearOutputsHaveARecord() throws {
    let text = """
      recipe: 1
      outputs:
        - heic: {}
        - linear: {format: exr, suffix: _scene}
        - linear: {level: stored, format: npy, id: codes}
      """
    let recipe = try Recipe.parse(Array(text.utf8), format: .yaml)
    let files = recipe.files
    #expect(files.map(\.id) == ["heic", "linear", "linear.json", "codes", "codes.json"])
    #expect(
      files.map(\.nameEnding) == [
        ".heic", "_scene.exr", "_scene.exr.json", ".npy", ".npy.json",
      ]
    )
    #expect(files.map(\.outputIndex) == [0, 1, 1, 2, 2])
    #expect(files.map(\.isPrincipal) == [true, true, false, true, false])
    #expect(try Recipe(json: recipe.json) == recipe)
  }

  /// What a level has by itself need not be said, and gives another digest than what differs.
  @Test func absentKeysMeanWhatTheLevelHas() {
    typealias Settings = OutputSpecification.LinearSettings
    #expect(Settings().colorSpace == .rec2020 && Settings().mosaic == .demosaiced)
    let normalized = Settings(level: .normalized)
    #expect(normalized.colorSpace == .camera && normalized.mosaic == .demosaiced)
    for level in [Settings.Level.stored, .linearized] {
      #expect(Settings(level: level).mosaic == .cfa && Settings(level: level).isCodes)
    }
  }
}
