internal import JSON

/// The reference page of recipes in Markdown; made from the same tables as the decoder.
package enum RecipeReference {
  /// The tables alone, which the guide to recipes repeats: of `develop` and its `extra`, of a rule's
  /// `when`, then of each kind of output.
  package static var tables: [String] {
    [
      table(RecipeKeys.develop.map(\.entry)), table(RecipeKeys.extra.map(\.entry)),
      table(RecipeKeys.when.map(\.entry)), presets,
    ]
      + OutputKind.all.filter { $0.decode != nil }.map { table($0.entries) }
  }

  /// The whole page: one table for each mapping.
  package static var markdown: String {
    var page = """
      # Recipe reference

      Every key also takes `default`, which says the same as leaving it out. Keys that are marked
      *later* are known, but no stage does them yet: a recipe that sets one is refused, except for
      the value that asks for nothing.

      ## develop

      \(table(RecipeKeys.develop.map(\.entry)))

      ## develop: extra

      \(table(RecipeKeys.extra.map(\.entry)))

      ## develop: presets

      \(presets)

      ## rules: when

      \(table(RecipeKeys.when.map(\.entry)))

      """
    for kind in OutputKind.all where kind.decode != nil {
      page += "\n## outputs: \(kind.name)\n\n\(kind.summary)\n\n\(table(kind.entries))\n"
    }
    let later = OutputKind.all.filter { $0.decode == nil }.map { "`\($0.name)`" }
    return page + "\n## outputs: later\n\n\(later.joined(separator: ", "))\n"
  }

  /// What each preset sets.
  private static var presets: String {
    let rows = DevelopPreset.allCases.map { preset in
      let values = preset.values.map { "`\($0.path)` \($0.value.text())" }
      return "| `\(preset.rawValue)` | \(values.joined(separator: ", ")) |"
    }
    return (["| preset | sets |", "|---|---|"] + rows).joined(separator: "\n")
  }

  private static func table(_ entries: [RecipeKeyEntry]) -> String {
    let rows = entries.map { entry in
      "| `\(entry.name)` | \(values(entry)) | \(meaningOfAbsence(entry)) | \(entry.summary) |"
    }
    return (["| key | values | if absent | meaning |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  private static func values(_ entry: RecipeKeyEntry) -> String {
    switch entry.availability {
    case .supported: entry.shape.expectation
    case .later(let off?): "*later*; now only `\(off.text())`"
    case .later(nil): "*later*"
    }
  }

  private static func meaningOfAbsence(_ entry: RecipeKeyEntry) -> String {
    switch (entry.defaultValue, entry.availability) {
    case (let value?, _): "`\(value.text())`"
    case (nil, .supported) where entry.name == "id": "kind and number"
    case (nil, .supported) where RecipeKeys.when.contains { $0.entry.name == entry.name }:
      "any"
    case (nil, .supported) where entry.name == RecipeKeys.presetPath: "none"
    case (nil, .supported) where entry.name == "extra": "the defaults of its keys"
    case (nil, .supported) where entry.name == "demosaic": "by the rest of the recipe"
    case (nil, .supported) where entry.name == "decoderVersion":
      "the newest, `\(DecoderVersion.newest.rawValue)`"
    case (nil, .supported) where entry.name == "lut": "none"
    case (nil, .supported) where ["colorSpace", "mosaic", "maximum"].contains(entry.name):
      "by `level`"
    case (nil, _): "as the file says"
    }
  }
}
