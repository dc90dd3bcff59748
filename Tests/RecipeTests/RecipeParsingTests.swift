import JSON
import Recipe
import Testing

@Suite struct RecipeParsingTests {
  private func parse(_ text: String, _ format: RecipeFormat = .yaml) throws(RecipeError) -> Recipe {
    try Recipe.parse(Array(text.utf8), format: format)
  }

  @Test func readsEverySettingThatHasAStage() throws {
    let recipe = try parse(
      """
      # a comment
      recipe: 1
      name: wedding-delivery
      develop:
        exposure: 0.35
        baselineExposure: -1
        shadowBias: 5
        boostAmount: 0.5
        boostShadowAmount: 1.5
        isGamutMappingEnabled: false
        neutralTemperature: 5600
        neutralTint: 8
      outputs:
        - heic: {colorSpace: displayP3, bitDepth: 8, quality: 0.8, suffix: _web, id: web}
        - tiff: {bitDepth: 8}
        - tiff: {suffix: "_16"}
      """
    )
    var develop = DevelopAdjustments()
    develop.exposure = 0.35
    develop.baselineExposure = -1
    develop.shadowBias = 5
    develop.boostAmount = 0.5
    develop.boostShadowAmount = 1.5
    develop.isGamutMappingEnabled = false
    develop.neutralTemperature = 5600
    develop.neutralTint = 8
    let expected = Recipe(
      name: "wedding-delivery",
      develop: develop,
      outputs: [
        OutputSpecification(
          id: "web",
          suffix: "_web",
          format: .heic(.init(colorSpace: .displayP3, bitDepth: 8, quality: 0.8))
        ),
        OutputSpecification(id: "tiff", format: .tiff(.init(bitDepth: 8))),
        OutputSpecification(id: "tiff2", suffix: "_16", format: .tiff(.init(bitDepth: 16))),
      ]
    )
    #expect(recipe == expected)
  }

  /// The recipe with which colours are compared to a reference renderer's.
  @Test func takesTheLinearRecipe() throws {
    let recipe = try parse(
      """
      recipe: 1
      develop: {baselineExposure: 0, shadowBias: 0, boostAmount: 0, localToneMapAmount: 0,
        isGamutMappingEnabled: false, isHighlightRecoveryEnabled: false}
      outputs: [tiff: {}]
      """
    )
    #expect(recipe.develop.boostAmount == 0)
    #expect(recipe.develop.localToneMapAmount == 0)
    #expect(recipe.develop.isHighlightRecoveryEnabled == false)
    #expect(recipe.develop.switchedOff == [])
  }

  @Test func extraHoldsWhatGoesBeyondCoreImage() throws {
    let recipe = try parse(
      "recipe: 1\ndevelop: {extra: {demosaic: bilinear, localContrastCompress: 0}}\noutputs: [tiff: {}]"
    )
    #expect(recipe.develop.demosaic == .bilinear)
    #expect(recipe.canonicalJSON["develop"]?["extra"]?["demosaic"] == "bilinear")
    #expect(try Recipe(json: recipe.json) == recipe)
    let plain = try parse("recipe: 1\noutputs: [tiff: {}]")
    for text in ["default", "{}", "{demosaic: default}"] {
      let other = try parse("recipe: 1\ndevelop: {extra: \(text)}\noutputs: [tiff: {}]")
      #expect(other.digest == plain.digest)
    }
    #expect(recipe.digest != plain.digest)
  }

  @Test func jsonAndYAMLSayTheSame() throws {
    let json = try parse(
      """
      {"recipe": 1, "develop": {"exposure": 1.5e0, "isGamutMappingEnabled": true},
       "outputs": [{"heic": {"quality": 0.5}}]}
      """,
      .json
    )
    let yaml = try parse(
      "recipe: 1\ndevelop:\n  exposure: +1.5\n  isGamutMappingEnabled: True\noutputs:\n- heic:\n    quality: .5"
    )
    #expect(json == yaml)
  }

  @Test func defaultIsTheSameAsAbsent() throws {
    let explicit = try parse(
      """
      recipe: 1
      name: default
      develop: {exposure: default, neutralLocation: default, neutralTemperature: 5000,
        sharpnessAmount: default, isGamutMappingEnabled: default}
      outputs: [heic: {quality: default, suffix: default, longEdge: default}]
      """
    )
    let absent = try parse(
      "recipe: 1\ndevelop: {neutralTemperature: 5000}\noutputs: [heic: {}]"
    )
    #expect(explicit == absent)
    #expect(try parse("recipe: 1\ndevelop: default\noutputs: [heic: {}]").develop == .init())
  }

  @Test func everySwitchThatAsksForNothingIsHonoured() throws {
    for key in [
      "luminanceNoiseReductionAmount", "colorNoiseReductionAmount", "sharpnessAmount",
      "contrastAmount", "detailAmount", "moireReductionAmount", "despeckleAmount",
    ] {
      for zero in ["0", "0.0", "-0"] {
        let recipe = try parse("recipe: 1\ndevelop: {\(key): \(zero)}\noutputs: [heic: {}]")
        #expect(recipe.develop.switchedOff.isEmpty)
      }
    }
    for text in [
      "isHighlightRecoveryEnabled: false", "isLensCorrectionEnabled: false",
      "isDraftModeEnabled: false", "scaleFactor: 1", "scaleFactor: 1.0",
    ] {
      #expect(throws: Never.self) {
        try parse("recipe: 1\ndevelop: {\(text)}\noutputs: [heic: {}]")
      }
    }
  }

  @Test func aByteOrderMarkIsAllowedInYAML() throws {
    #expect(throws: Never.self) { try parse("\u{FEFF}recipe: 1\noutputs: [heic: {}]") }
  }

  @Test func theFormatFollowsTheName() {
    #expect(RecipeFormat(fileName: "a.JSON") == .json)
    #expect(RecipeFormat(fileName: "a.yaml") == .yaml)
    #expect(RecipeFormat(fileName: "-") == .yaml)
  }
}
