package import JSON

/// The JSON Schema of recipes, for editors; made from the same tables as the decoder.
///
/// It takes what the decoder takes, except for rules between keys (file names that clash).
package enum RecipeSchema {
  /// A schema in the dialect of draft 2020-12.
  package static var document: JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:rawmill:recipe:1",
      "title": "rawmill recipe",
      "type": "object",
      "additionalProperties": false,
      "required": ["recipe", "outputs"],
      "properties": [
        "recipe": [
          "const": .init(Recipe.currentVersion), "description": "Version of the language.",
        ],
        "name": [
          "type": "string", "pattern": .string(RecipeTextRule.title.pattern),
          "description": "A name for people; not part of the digest.",
        ],
        "develop": [
          "description": "Raw adjustments, named as CIRAWFilter's properties.",
          "anyOf": [["const": "default"], .object(mapping(RecipeKeys.develop.map(\.entry)))],
        ],
        "rules": [
          "description":
            "Further settings for the pictures that meet a condition; later rules win.",
          "anyOf": [
            ["const": "default"],
            [
              "type": "array", "maxItems": .init(RecipeLimits.ruleCount),
              "items": [
                "type": "object", "additionalProperties": false, "required": ["when", "develop"],
                "properties": [
                  "when": .object(
                    mapping(RecipeKeys.when.map(\.entry)) + [("minProperties", 1)]
                  ),
                  "develop": .object(
                    mapping(RecipeKeys.develop.map(\.entry)) + [("minProperties", 1)]
                  ),
                ],
              ],
            ],
          ],
        ],
        "outputs": [
          "description": "What is written for each picture.",
          "type": "array", "minItems": 1, "maxItems": .init(RecipeLimits.outputCount),
          "items": ["oneOf": .array(OutputKind.all.filter { $0.decode != nil }.map(output))],
        ],
      ],
    ]
  }

  private static func output(_ kind: OutputKind) -> JSONValue {
    [
      "type": "object", "additionalProperties": false, "required": [.string(kind.name)],
      "properties": .object([
        (
          kind.name,
          JSONValue.object(mapping(kind.entries)).setting("description", .string(kind.summary))
        )
      ]),
    ]
  }

  /// The schema of a mapping of keys.
  static func mapping(_ entries: [RecipeKeyEntry]) -> [(key: String, value: JSONValue)] {
    let exclusions: [JSONValue] = entries.flatMap { entry in
      entry.excludes.map { other in
        // `default` says the same as leaving the key out, so it excludes nothing.
        let isSet: JSONValue = ["not": ["const": "default"]]
        return [
          "not": [
            "required": [.string(entry.name), .string(other)],
            "properties": .object([(key: entry.name, value: isSet), (key: other, value: isSet)]),
          ]
        ]
      }
    }
    let schema: [(key: String, value: JSONValue)] = [
      ("type", "object"), ("additionalProperties", false),
      ("properties", .object(entries.map { (key: $0.name, value: property($0)) })),
    ]
    return exclusions.isEmpty ? schema : schema + [("allOf", .array(exclusions))]
  }

  private static func property(_ entry: RecipeKeyEntry) -> JSONValue {
    let absent: JSONValue = ["const": "default"]
    var description = entry.summary
    var alternatives = [absent]
    switch entry.availability {
    case .supported: alternatives.insert(.object(entry.shape.schema), at: 0)
    case .later(let off):
      description += " Not supported yet."
      if let off { alternatives.insert(["const": off], at: 0) }
    }
    let schema: JSONValue = ["description": .string(description), "anyOf": .array(alternatives)]
    return entry.defaultValue.map { schema.setting("default", $0) } ?? schema
  }
}
