extension RecipeDecoder {
  /// The keys of one rule.
  static let ruleKeys = ["when", "develop"]

  /// Reads the list of rules.
  static func decodeRules(
    _ node: RecipeNode,
    into recipe: inout Recipe,
    _ problems: inout RecipeProblems
  ) {
    guard case .sequence(let elements) = node.content else {
      problems.add(
        "rules",
        node.position,
        .unexpectedKind(expected: "a list of rules", found: node.found)
      )
      return
    }
    guard elements.count <= RecipeLimits.ruleCount else {
      problems.add("rules", node.position, .tooMany(limit: RecipeLimits.ruleCount))
      return
    }
    for (index, element) in elements.enumerated() {
      if let rule = decodeRule(element, "rules[\(index)]", &problems) { recipe.rules.append(rule) }
    }
  }

  private static func decodeRule(
    _ node: RecipeNode,
    _ path: String,
    _ problems: inout RecipeProblems
  ) -> RecipeRule? {
    guard let members = members(of: node, path, &problems) else { return nil }
    for member in members where !ruleKeys.contains(member.key) {
      addUnknown(member, ruleKeys, "\(path).\(member.key)", &problems)
    }
    var rule = RecipeRule(when: .init(), develop: .init())
    for key in ruleKeys {
      guard let value = members.first(where: { $0.key == key })?.value else {
        problems.add(path, node.position, .missingKey(key))
        continue
      }
      let before = problems.all.count
      if key == "when" {
        decode(value, RecipeKeys.when, path: "\(path).when", into: &rule.when, &problems)
      } else {
        decode(value, RecipeKeys.develop, path: "\(path).develop", into: &rule.develop, &problems)
        addImpossible(rule.develop, value, "\(path).develop", &problems)
      }
      let isEmpty = key == "when" ? rule.when.isEmpty : rule.develop == .init()
      // A mapping with another fault has said enough.
      if isEmpty, problems.all.count == before {
        let expected =
          key == "when"
          ? "at least one of \(RecipeKeys.when.map(\.entry.name).joined(separator: ", "))"
          : "at least one setting"
        problems.add("\(path).\(key)", value.position, .empty(expected: expected))
      }
    }
    return rule
  }
}
