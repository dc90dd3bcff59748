package import JSON

extension Recipe {
  /// The recipe as JSON, with its name and every setting that has a value: `Recipe(json:)` gives an
  /// equal recipe back.
  package var json: JSONValue {
    let value = json(keepingDefaults: true)
    return name.map { value.setting("name", .string($0)) } ?? value
  }

  /// The recipe without its name and with every fixed default left out: what the digest covers.
  package var canonicalJSON: JSONValue {
    json(keepingDefaults: false)
  }

  private func json(keepingDefaults: Bool) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("recipe", .init(version))]
    // A default that is written out is more than an absent one where it stands over another layer.
    let develop = Self.members(
      of: self.develop,
      RecipeKeys.develop,
      keepingDefaults || self.develop.preset != nil
    )
    if !develop.isEmpty { members.append(("develop", .object(develop))) }
    if !rules.isEmpty { members.append(("rules", .array(rules.map(Self.json)))) }
    var ordinals: [String: Int] = [:]
    members.append(
      ("outputs", .array(outputs.map { Self.json(of: $0, &ordinals, keepingDefaults) }))
    )
    return .object(members)
  }

  private static func json(of rule: RecipeRule) -> JSONValue {
    [
      "when": .object(members(of: rule.when, RecipeKeys.when, true)),
      "develop": .object(members(of: rule.develop, RecipeKeys.develop, true)),
    ]
  }

  private static func json(
    of output: OutputSpecification,
    _ ordinals: inout [String: Int],
    _ keepingDefaults: Bool
  ) -> JSONValue {
    let kind = output.kindName
    let ordinal = ordinals[kind, default: 0] + 1
    ordinals[kind] = ordinal
    let isDefaultID = output.id == OutputSpecification.defaultID(kind: kind, ordinal: ordinal)
    let id = isDefaultID ? nil : output.id
    let settings =
      switch output.format {
      case .heic(let settings):
        members(
          of: OutputDraft(id: id, suffix: output.suffix, settings: settings),
          RecipeKeys.heic,
          keepingDefaults
        )
      case .tiff(let settings):
        members(
          of: OutputDraft(id: id, suffix: output.suffix, settings: settings),
          RecipeKeys.tiff,
          keepingDefaults
        )
      case .dng(let settings):
        members(
          of: OutputDraft(id: id, suffix: output.suffix, settings: settings),
          RecipeKeys.dng,
          keepingDefaults
        )
      case .linear(let settings):
        members(
          of: OutputDraft(id: id, suffix: output.suffix, settings: settings),
          RecipeKeys.linear,
          keepingDefaults
        )
      case .statistics(let settings):
        members(
          of: OutputDraft(id: id, suffix: output.suffix, settings: settings),
          RecipeKeys.statistics,
          keepingDefaults
        )
      }
    return [kind: .object(settings)]
  }

  private static func members<Root>(
    of root: Root,
    _ keys: [RecipeKey<Root>],
    _ keepingDefaults: Bool
  ) -> [(key: String, value: JSONValue)] {
    keys.compactMap { key in
      if !key.members.isEmpty {
        let inner = members(of: root, key.members, keepingDefaults)
        return inner.isEmpty ? nil : (key: key.entry.name, value: .object(inner))
      }
      guard let value = key.read(root) else { return nil }
      guard keepingDefaults || value != key.entry.defaultValue else { return nil }
      return (key: key.entry.name, value: value)
    }
  }
}

extension OutputSpecification {
  /// The key of the output's kind in a recipe.
  package var kindName: String {
    switch format {
    case .heic: "heic"
    case .tiff: "tiff"
    case .dng: "dng"
    case .linear: "linear"
    case .statistics: "statistics"
    }
  }
}
