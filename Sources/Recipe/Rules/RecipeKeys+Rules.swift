internal import JSON

extension RecipeKeys {
  /// `rules[].when`.
  static let when: [RecipeKey<RecipeCondition>] = [
    RecipeKey(
      entry: RecipeKeyEntry(
        name: "iso",
        summary: "The ISO speed.",
        shape: .comparison,
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { $0.iso = NumberCondition($1) },
      read: { $0.iso.map(\.json) }
    ),
    patterns(
      "camera",
      \.camera,
      "The camera: maker and model, the model, or UniqueCameraModel."
    ),
    patterns("lens", \.lens, "The lens."),
  ]

  /// A text, or a list of texts of which one must match.
  private static func patterns(
    _ name: String,
    _ path: any WritableKeyPath<RecipeCondition, [TextPattern]> & Sendable,
    _ summary: String
  ) -> RecipeKey<RecipeCondition> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .textOrList(.pattern),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { condition, value in
        let texts = value.arrayValue ?? [value]
        condition[keyPath: path] = texts.compactMap(\.stringValue).map { TextPattern($0) }
      },
      read: { condition in
        let texts = condition[keyPath: path].map { JSONValue.string($0.text) }
        return texts.count > 1 ? .array(texts) : texts.first
      }
    )
  }
}
