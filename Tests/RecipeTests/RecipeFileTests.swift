import Digest
import JSON
import Recipe
import Testing

@Suite struct RecipeFileTests {
  private struct Missing: Error, Equatable {
    var path: String
  }

  private static func recipe(_ extra: String) throws -> Recipe {
    try Recipe.parse(
      Array("recipe: 1\ndevelop: {extra: {\(extra)}}\noutputs: [heic: {}]".utf8),
      format: .yaml
    )
  }

  private static let cube = Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)

  @Test func aFileTakesThePlaceOfItsPath() throws {
    var recipe = try Self.recipe("lut: looks/warm.cube")
    #expect(recipe.develop.lut == RecipeFile(name: "looks/warm.cube"))
    let before = recipe.digest
    var read: [String] = []
    try recipe.attachFiles { path, _ in
      read.append(path)
      return Self.cube
    }
    #expect(read == ["looks/warm.cube"])
    #expect(recipe.develop.lut == RecipeFile(name: "warm.cube", contents: Self.cube))
    #expect(recipe.digest != before)
    // What goes to workers says everything, and is read once.
    let copy = try Recipe(json: recipe.json)
    #expect(copy == recipe && copy.digest == recipe.digest)
    try recipe.attachFiles { path, _ throws(RecipeError) in
      throw .file(path: path, line: nil, reason: "")
    }
  }

  @Test func theDigestCoversTheContents() throws {
    func digest(_ contents: [UInt8]) throws -> String {
      var recipe = try Self.recipe("lut: a.cube")
      try recipe.attachFiles { _, _ in contents }
      return recipe.digest.hex
    }
    #expect(try digest(Self.cube) == digest(Self.cube))
    #expect(try digest(Self.cube) != digest(Self.cube + Array("#".utf8)))
  }

  @Test func filesThatAreNotWhatTheyShouldBe() throws {
    func message(_ extra: String, _ contents: [UInt8]) throws -> [String] {
      var recipe = try Self.recipe(extra)
      do {
        try recipe.attachFiles { _, _ in contents }
        return []
      } catch {
        guard case .recipe(let error) = error else { return ["read"] }
        return error.lines(file: "r.yaml")
      }
    }
    #expect(
      try message("lut: x/a.cube", Array("LUT_1D_SIZE 2\n0 0 zero".utf8))
        == ["x/a.cube:2: zero is no number"]
    )
    #expect(
      try message("profile: p.dcp", Array("II*\0".utf8))
        == ["p.dcp: is no DNG camera profile: it does not begin with IIRC or MMCR"]
    )
    #expect(try message("profile: p.dcp", Array("IIRC".utf8)).isEmpty)
    #expect(
      try message("profile: p.dcp", Array(repeating: 0, count: 2 << 20 + 1))
        == ["p.dcp: has more than 2097152 bytes"]
    )
  }

  @Test func whatCannotBeReadIsTheReadersError() throws {
    var recipe = try Self.recipe("profile: none.dcp")
    do {
      try recipe.attachFiles { path, _ throws(RecipeError) in
        throw .file(path: path, line: nil, reason: "gone")
      }
      Issue.record("attached")
    } catch .reading(let error) {
      #expect(error == .file(path: "none.dcp", line: nil, reason: "gone"))
    } catch .recipe {
      Issue.record("another error")
    }
  }

  @Test(arguments: [
    "lut: {name: a.cube}", "lut: {name: a.cube, base64: '=A=='}", "lut: 3", "profile: ''",
    "profile: [a]", "lut: {name: a.cube, base64: AAAA, size: 3}",
  ])
  func strictValues(extra: String) {
    #expect(throws: RecipeError.self) { try Self.recipe(extra) }
  }

  /// RFC 4648, section 10, by way of a recipe.
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
    ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"),
  ])
  func base64(text: String, bytes: String) throws {
    let recipe = try Self.recipe("lut: {name: a, base64: '\(text)'}")
    #expect(recipe.develop.lut?.contents == Array(bytes.utf8))
    let json = recipe.json["develop"]?["extra"]?["lut"]?["base64"]
    #expect(json == .string(text))
  }

  @Test func points() throws {
    func parse(_ text: String) throws -> Recipe {
      try Recipe.parse(
        Array("recipe: 1\ndevelop: {\(text)}\noutputs: [heic: {}]".utf8),
        format: .yaml
      )
    }
    let recipe = try parse("neutralChromaticity: {x: 0.34, y: 0.36}")
    #expect(recipe.develop.neutralChromaticity == RecipePoint(x: 0.34, y: 0.36))
    #expect(try Recipe(json: recipe.json) == recipe)
    #expect(
      try parse("neutralLocation: {x: 10, y: 20.5}").develop.neutralLocation
        == RecipePoint(x: 10, y: 20.5)
    )
    for text in [
      "neutralChromaticity: {x: 0.3}", "neutralChromaticity: {x: 0.3, y: 2}",
      "neutralChromaticity: {x: 0.3, y: 0.3, z: 0.4}", "neutralChromaticity: [0.3, 0.3]",
      "neutralLocation: {x: -1, y: 0}", "neutralLocation: {x: a, y: 0}",
      "neutralChromaticity: {x: 0.3, y: 0.3}, neutralTint: 3",
      "neutralLocation: {x: 1, y: 1}, neutralTemperature: 5000",
      "neutralLocation: {x: 1, y: 1}, neutralChromaticity: {x: 0.3, y: 0.3}",
    ] {
      #expect(throws: RecipeError.self, "\(text)") { try parse(text) }
    }
  }

  @Test func headroomNeedsAnOutputThatHasIt() throws {
    do {
      _ = try Recipe.parse(
        Array(
          "recipe: 1\ndevelop: {extendedDynamicRangeAmount: 1}\noutputs: [heic: {}]".utf8
        ),
        format: .yaml
      )
      Issue.record("taken")
    } catch {
      #expect(
        error.lines(file: "r") == [
          "r:2:39: develop.extendedDynamicRangeAmount: 1 does not go with outputs of standard range, which end at white; valid: 0, until there are HDR outputs"
        ]
      )
    }
  }

  /// Before any raw is read; in rules too.
  @Test(arguments: [
    (
      "develop: {extra: {crop: {left: 0.5, right: 0.5}}}",
      [
        "r:2:18: develop.extra.crop.right: 0.5 does not go with left 0.5, as nothing is left; valid: more than 0.5"
      ]
    ),
    (
      "rules: [{when: {iso: '>100'}, develop: {extra: {crop: {top: 1}}}}]",
      [
        "r:2:48: rules[0].develop.extra.crop.bottom: 1 does not go with top 1, as nothing is left; valid: more than 1"
      ]
    ),
  ])
  func aCropLeavesSomething(text: String, lines: [String]) throws {
    do {
      _ = try Recipe.parse(
        Array("recipe: 1\n\(text)\noutputs: [heic: {}]".utf8),
        format: .yaml
      )
      Issue.record("taken")
    } catch {
      #expect(error.lines(file: "r") == lines)
    }
  }

  @Test func versionsOfTheLook() throws {
    func version(_ text: String) throws -> DecoderVersion? {
      try Recipe.parse(
        Array("recipe: 1\ndevelop: {decoderVersion: \(text)}\noutputs: [heic: {}]".utf8),
        format: .yaml
      ).develop.decoderVersion
    }
    #expect(try version("1") == .one && version("2") == .two && version("default") == nil)
    #expect(throws: RecipeError.self) { try version("3") }
    #expect(throws: RecipeError.self) { try version("8DNG") }
  }
}
