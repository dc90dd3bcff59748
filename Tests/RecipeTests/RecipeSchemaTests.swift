import FileSystem
import JSON
import Recipe
import TestSupport
import Testing

@Suite struct RecipeSchemaTests {
  @Test func describesEveryProperty() throws {
    let develop = try #require(
      RecipeSchema.document["properties"]?["develop"]?["anyOf"]?[1]?["properties"]?.objectValue
    )
    #expect(develop.count == 28)
    #expect(develop.map(\.key).prefix(2) == ["preset", "exposure"])
    #expect(
      develop[1].value == [
        "description": "Exposure, added to the baseline exposure; -1 halves the light.",
        "anyOf": [["type": "number", "minimum": -10, "maximum": 10], ["const": "default"]],
        "default": 0,
      ]
    )
    #expect(
      develop.first { $0.key == "sharpnessAmount" }?.value == [
        "description": "Sharpening of edges.",
        "anyOf": [["type": "number", "minimum": 0, "maximum": 1], ["const": "default"]],
        "default": 0,
      ]
    )
  }

  /// As for the decoder, a key that is left at `default` excludes no other.
  @Test func exclusionsAreOfKeysThatAreSet() throws {
    let exclusions = try #require(
      RecipeSchema.document["properties"]?["develop"]?["anyOf"]?[1]?["allOf"]?.arrayValue
    )
    let isSet: JSONValue = ["not": ["const": "default"]]
    #expect(
      exclusions.first == [
        "not": [
          "required": ["neutralChromaticity", "neutralLocation"],
          "properties": ["neutralChromaticity": isSet, "neutralLocation": isSet],
        ]
      ]
    )
  }

  @Test func isADocumentOfTheDialect() {
    #expect(
      RecipeSchema.document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    )
    #expect(RecipeSchema.document["additionalProperties"] == false)
  }

  /// The guide's tables are pasted from `rawmill recipe schema --markdown`.
  @Test func theGuideRepeatsTheTables() throws {
    let guide = String(
      decoding: try PackageFolder.path("Sources/rawmill/rawmill.docc/Recipes.md").readAll(),
      as: UTF8.self
    )
    for table in RecipeReference.tables {
      #expect(guide.contains(table))
    }
  }

  @Test func referenceNamesEveryKey() {
    let page = RecipeReference.markdown
    #expect(page.contains("| `exposure` | a number from -10 to 10 EV | `0` |"))
    #expect(page.contains("| `sharpnessAmount` | a number from 0 to 1 | `0` |"))
    #expect(
      page.contains("| `id` | a letter and up to 63 letters, digits, _ or - | kind and number |")
    )
  }
}
