import Recipe
import Testing

@Suite struct RecipeRuleTests {
  private static func recipe(_ text: String) throws -> Recipe {
    try Recipe.parse(Array((text + "\noutputs: [heic: {}]\n").utf8), format: .yaml)
  }

  private static func lines(_ text: String) -> [String] {
    do {
      _ = try recipe(text)
      return []
    } catch {
      return (error as? RecipeError)?.lines(file: "r") ?? ["another error"]
    }
  }

  private static func subject(
    iso: Int? = 6400,
    make: String? = "NIKON CORPORATION",
    model: String? = "NIKON D810",
    lens: String? = "24-70mm f/2.8"
  ) -> RuleSubject {
    RuleSubject(isoSpeed: iso, make: make, model: model, uniqueModel: "Nikon D810", lens: lens)
  }

  private static let layered = """
    recipe: 1
    develop: {exposure: 1, boostAmount: 0.5, neutralTemperature: 5000}
    rules:
      - when: {iso: ">3200"}
        develop: {exposure: 2, shadowBias: 3}
      - when: {camera: "*d810", lens: ["50*", "24-*"]}
        develop: {shadowBias: 4}
      - when: {iso: "<100"}
        develop: {boostAmount: 0}
    """

  @Test func laterRulesWinAndTheirOriginIsKept() throws {
    let recipe = try Self.recipe(Self.layered)
    let adjustments = recipe.adjustments(for: Self.subject())
    #expect(adjustments.exposure == 2 && adjustments.shadowBias == 4)
    #expect(adjustments.boostAmount == 0.5 && adjustments.neutralTemperature == 5000)
    #expect(recipe.rulesHolding(for: Self.subject()) == [1, 2])
    #expect(adjustments.origins["exposure"] == .rule(1))
    #expect(adjustments.origins["shadowBias"] == .rule(2))
    #expect(adjustments.origins["boostAmount"] == .recipe)
    #expect(adjustments.origins["isGamutMappingEnabled"] == nil)
    let other = recipe.adjustments(for: Self.subject(iso: 50, model: "D4", lens: nil))
    #expect(other.exposure == 1 && other.shadowBias == nil && other.boostAmount == 0)
  }

  @Test func aRecipeWithoutRulesIsItself() throws {
    let recipe = try Self.recipe("recipe: 1\ndevelop: {exposure: 1, sharpnessAmount: 0}")
    var adjustments = recipe.adjustments(for: Self.subject())
    adjustments.origins = [:]
    #expect(adjustments == recipe.develop)
  }

  @Test(arguments: [
    ("3200", [3200], [3199, 3201]), ("\">3200\"", [3201, 99_999], [3200, 1]),
    ("\">= 3200\"", [3200], [3199]), ("\"<800\"", [1, 799], [800]),
    ("\"<=800\"", [800], [801]), ("\"800..3200\"", [800, 3200], [799, 3201]),
    ("\"400\"", [400], [401]),
  ])
  func comparisons(text: String, holds: [Int], fails: [Int]) throws {
    let recipe = try Self.recipe(
      "recipe: 1\nrules: [{when: {iso: \(text)}, develop: {exposure: 1}}]"
    )
    for iso in holds { #expect(recipe.rulesHolding(for: Self.subject(iso: iso)) == [1], "\(iso)") }
    for iso in fails { #expect(recipe.rulesHolding(for: Self.subject(iso: iso)) == [], "\(iso)") }
    #expect(recipe.rulesHolding(for: Self.subject(iso: nil)) == [])
    // The recipe's own JSON gives the same recipe.
    #expect(try Recipe(json: recipe.json) == recipe)
  }

  @Test(arguments: [
    ("NIKON D810", true), ("nikon d810", true), ("NIKON CORPORATION NIKON D810", true),
    ("*810", true), ("nikon d8?0", true), ("d810", false), ("*d850*", false), ("*", true),
    ("**n**0*", true), ("?", false),
  ])
  func patterns(pattern: String, holds: Bool) throws {
    let recipe = try Self.recipe(
      "recipe: 1\nrules: [{when: {camera: \"\(pattern)\"}, develop: {exposure: 1}}]"
    )
    #expect(recipe.rulesHolding(for: Self.subject()) == (holds ? [1] : []))
    let unknown = RuleSubject(isoSpeed: 1, make: nil, model: nil, uniqueModel: nil, lens: nil)
    #expect(recipe.rulesHolding(for: unknown) == [])
    #expect(try Recipe(json: recipe.json) == recipe)
  }

  @Test func aHostilePatternEndsSoon() throws {
    let stars = String(repeating: "*a", count: 90)
    let recipe = try Self.recipe(
      "recipe: 1\nrules: [{when: {lens: \"\(stars)b\"}, develop: {exposure: 1}}]"
    )
    let lens = String(repeating: "a", count: 20_000)
    #expect(recipe.rulesHolding(for: Self.subject(lens: lens)) == [])
  }

  @Test(arguments: DevelopPreset.allCases)
  func presetsSetKnownKeys(preset: DevelopPreset) throws {
    let recipe = try Self.recipe("recipe: 1\ndevelop: {preset: \(preset.rawValue)}")
    let adjustments = recipe.adjustments(for: Self.subject())
    #expect(adjustments.baselineExposure == 0 && adjustments.shadowBias == 0)
    #expect(adjustments.boostAmount == 0 && adjustments.isGamutMappingEnabled == false)
    #expect(adjustments.origins["boostAmount"] == .preset(preset))
    #expect(adjustments.demosaic == (preset == .sensor ? .bilinear : nil))
    #expect(adjustments.preset == nil)
    let linear =
      "baselineExposure: 0, shadowBias: 0, boostAmount: 0, localToneMapAmount: 0, "
      + "isGamutMappingEnabled: false"
    let more =
      ", exposure: 0, isHighlightRecoveryEnabled: false, isLensCorrectionEnabled: false, "
      + "luminanceNoiseReductionAmount: 0, colorNoiseReductionAmount: 0, sharpnessAmount: 0, "
      + "contrastAmount: 0, detailAmount: 0, moireReductionAmount: 0, despeckleAmount: 0, "
      + "extendedDynamicRangeAmount: 0, extra: {demosaic: bilinear, localContrastCompress: 0}"
    let written = linear + (preset == .sensor ? more : "")
    var explicit = try Self.recipe("recipe: 1\ndevelop: {\(written)}")
      .adjustments(for: Self.subject())
    explicit.origins = [:]
    var named = adjustments
    named.origins = [:]
    #expect(named == explicit)
  }

  @Test func keysBesideAPresetWin() throws {
    let recipe = try Self.recipe("recipe: 1\ndevelop: {preset: sensor, boostAmount: 1}")
    let adjustments = recipe.adjustments(for: Self.subject())
    #expect(adjustments.boostAmount == 1)
    #expect(adjustments.origins["boostAmount"] == .recipe)
    #expect(adjustments.origins["shadowBias"] == .preset(.sensor))
    // What is the default elsewhere says something here, so the digests differ.
    let plain = try Self.recipe("recipe: 1\ndevelop: {preset: sensor}")
    #expect(recipe.digest != plain.digest)
    #expect(recipe.digest == (try Recipe(json: recipe.json)).digest)
  }

  @Test func aRulesPresetLiesOverTheRecipe() throws {
    let recipe = try Self.recipe(
      """
      recipe: 1
      develop: {boostAmount: 0.5, exposure: 1}
      rules: [{when: {iso: 6400}, develop: {preset: linearScene, exposure: 0}}]
      """
    )
    let adjustments = recipe.adjustments(for: Self.subject())
    #expect(adjustments.boostAmount == 0 && adjustments.exposure == 0)
    #expect(adjustments.origins["boostAmount"] == .preset(.linearScene))
    #expect(adjustments.origins["exposure"] == .rule(1))
  }

  @Test func rulesAreInTheDigest() throws {
    let plain = try Self.recipe("recipe: 1\ndevelop: {exposure: 1}")
    let ruled = try Self.recipe(
      "recipe: 1\ndevelop: {exposure: 1}\nrules: [{when: {iso: 100}, develop: {exposure: 0}}]"
    )
    let other = try Self.recipe(
      "recipe: 1\ndevelop: {exposure: 1}\nrules: [{when: {iso: 100}, develop: {shadowBias: 1}}]"
    )
    #expect(Set([plain.digest, ruled.digest, other.digest]).count == 3)
    // An explicit 0 is the default of `develop`, but a rule's says something.
    #expect(ruled.adjustments(for: Self.subject(iso: 100)).exposure == 0)
    #expect(try Self.recipe("recipe: 1\ndevelop: {exposure: 1}\nrules: []").digest == plain.digest)
  }

  @Test(arguments: [
    ("rules: 1", "r:2:8: rules: expected a list of rules, found 1"),
    ("rules: [{}]", "r:2:9: rules[0]: the key when is missing"),
    (
      "rules: [{when: {iso: 1}}]", "r:2:9: rules[0]: the key develop is missing"
    ),
    (
      "rules: [{when: {}, develop: {exposure: 1}}]",
      "r:2:16: rules[0].when: empty; expected at least one of iso, camera, lens"
    ),
    (
      "rules: [{when: {iso: 1}, develop: {}}]",
      "r:2:35: rules[0].develop: empty; expected at least one setting"
    ),
    (
      "rules: [{when: {iso: \"~3\"}, develop: {exposure: 1}}]",
      "r:2:22: rules[0].when.iso: the text \"~3\" is not valid; expected a number or a comparison "
        + "such as \">3200\", \"<=800\" or \"800..3200\""
    ),
    (
      "rules: [{when: {iso: \"9..3\"}, develop: {exposure: 1}}]",
      "r:2:22: rules[0].when.iso: the text \"9..3\" is not valid; expected a number or a comparison "
        + "such as \">3200\", \"<=800\" or \"800..3200\""
    ),
    (
      "rules: [{when: {iso: true}, develop: {exposure: 1}}]",
      "r:2:22: rules[0].when.iso: expected a number or a comparison such as \">3200\", \"<=800\" or "
        + "\"800..3200\", found true"
    ),
    (
      "rules: [{when: {lens: []}, develop: {exposure: 1}}]",
      "r:2:23: rules[0].when.lens: empty; expected text of 1 to 200 characters in one line, in which "
        + "* stands for any and ? for one; or a list of such texts"
    ),
    (
      "rules: [{when: {film: x}, develop: {exposure: 1}}]",
      "r:2:17: rules[0].when.film: unknown key; valid keys are iso, camera, lens"
    ),
    (
      "rules: [{when: {iso: 1}, develop: {exposure: 11}}]",
      "r:2:46: rules[0].develop.exposure: 11 is not valid; expected a number from -10 to 10 EV"
    ),
    (
      "rules: [{if: {iso: 1}, when: {iso: 1}, develop: {exposure: 1}}]",
      "r:2:10: rules[0].if: unknown key; valid keys are when, develop"
    ),
    (
      "develop: {preset: sensors}",
      "r:2:19: develop.preset: the text \"sensors\" is not valid; expected linearScene or sensor"
    ),
  ])
  func whatIsNoRuleIsRefused(text: String, line: String) {
    #expect(Self.lines("recipe: 1\n" + text).first == line)
  }

  @Test func tooManyRules() {
    let rule = "{when: {iso: 1}, develop: {exposure: 1}}"
    let rules = Array(repeating: rule, count: 65).joined(separator: ", ")
    #expect(
      Self.lines("recipe: 1\nrules: [\(rules)]") == ["r:2:8: rules: more than 64 are too many"]
    )
  }
}
