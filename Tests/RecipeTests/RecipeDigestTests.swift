import Digest
import JSON
import Recipe
import Testing

@Suite struct RecipeDigestTests {
  private func parse(_ text: String) throws -> Recipe {
    try Recipe.parse(Array(text.utf8), format: .yaml)
  }

  @Test func canonicalFormLeavesOutNameAndDefaults() throws {
    let recipe = try parse(
      """
      recipe: 1
      name: a
      develop: {shadowBias: 0.0, exposure: 0, boostAmount: 1, localToneMapAmount: 0}
      outputs: [tiff: {bitDepth: 16}, heic: {quality: 0.9, id: heic}, heic: {suffix: _b, quality: 0.5}]
      """
    )
    #expect(
      recipe.canonicalJSON.text(.canonical)
        == #"{"develop":{"localToneMapAmount":0,"shadowBias":0},"outputs":[{"tiff":{}},{"heic":{}},"#
        + #"{"heic":{"quality":0.5,"suffix":"_b"}}],"recipe":1}"#
    )
  }

  @Test func equalMeaningHasOneDigest() throws {
    let plain = try parse("recipe: 1\noutputs: [heic: {}]")
    let explicit = try parse(
      "outputs: [heic: {quality: 0.90, bitDepth: 8, suffix: ''}]\nname: x\ndevelop: {exposure: 0.0}\nrecipe: 1"
    )
    let other = try parse("recipe: 1\noutputs: [heic: {quality: 0.91}]")
    #expect(plain.digest == explicit.digest)
    #expect(plain.digest == Recipe.standard.digest)
    #expect(plain.digest != other.digest)
  }

  // printf '{"outputs":[{"heic":{}}],"recipe":1}' | sha256sum
  @Test func digestIsSHA256OfTheCanonicalForm() {
    #expect(
      Recipe.standard.digest.description
        == "01f1d0def129ecc5cde098ed3762cabeab4e02ac8279f6a4f45e64eb6e3d7cb1"
    )
  }

  @Test func jsonReadsBackEqual() throws {
    let recipe = try parse(
      """
      recipe: 1
      name: "n\u{E9}"
      develop: {exposure: 0, neutralTint: -8.25, isHighlightRecoveryEnabled: false, boostAmount: 0.1}
      outputs: [heic: {suffix: _a}, heic: {id: x}, tiff: {bitDepth: 8}]
      """
    )
    #expect(try Recipe(json: recipe.json) == recipe)
    #expect(try Recipe(json: recipe.canonicalJSON).digest == recipe.digest)
  }
}
