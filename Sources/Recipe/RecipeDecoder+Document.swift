internal import JSON

extension RecipeDecoder {
  /// The keys of a recipe's outermost mapping.
  static let documentKeys = ["recipe", "name", "develop", "rules", "outputs"]

  /// Reads a whole recipe.
  static func decodeDocument(_ root: RecipeNode) throws(RecipeError) -> Recipe {
    var problems = RecipeProblems()
    var recipe = Recipe(outputs: [])
    if let members = members(of: root, "", &problems) {
      for member in members where !documentKeys.contains(member.key) {
        addUnknown(member, documentKeys, member.key, &problems)
      }
      let member = { (key: String) in members.first { $0.key == key }?.value }
      decodeVersion(member("recipe"), root.position, into: &recipe, &problems)
      if let name = member("name"), !name.isDefault {
        decodeName(name, into: &recipe, &problems)
      }
      if let develop = member("develop"), !develop.isDefault {
        decode(develop, RecipeKeys.develop, path: "develop", into: &recipe.develop, &problems)
      }
      if let rules = member("rules"), !rules.isDefault {
        decodeRules(rules, into: &recipe, &problems)
      }
      if let outputs = member("outputs") {
        decodeOutputs(outputs, into: &recipe, &problems)
      } else {
        problems.add("", root.position, .missingKey("outputs"))
      }
      if let develop = member("develop") {
        addImpossible(recipe.develop, develop, "develop", &problems)
      }
    }
    guard problems.all.isEmpty else { throw .invalid(problems.all) }
    return recipe
  }

  /// Adjustments that can't be met whatever the raw is: headroom in outputs that have none, a crop that
  /// leaves nothing.
  static func addImpossible(
    _ adjustments: DevelopAdjustments,
    _ node: RecipeNode,
    _ path: String,
    _ problems: inout RecipeProblems
  ) {
    if let amount = adjustments.extendedDynamicRangeAmount, amount != 0 {
      problems.add(
        "\(path).extendedDynamicRangeAmount",
        node.position(of: "extendedDynamicRangeAmount"),
        .conflict(
          found: amount.ecmaScriptText,
          with: "outputs of standard range, which end at white",
          valid: "valid: 0, until there are HDR outputs"
        )
      )
    }
    guard let crop = adjustments.crop else { return }
    for (key, high, other, low) in [
      ("right", crop.right, "left", crop.left), ("bottom", crop.bottom, "top", crop.top),
    ] where !(high > low) {
      problems.add(
        "\(path).extra.crop.\(key)",
        node.position(of: "extra"),
        .conflict(
          found: high.ecmaScriptText,
          with: "\(other) \(low.ecmaScriptText), as nothing is left",
          valid: "valid: more than \(low.ecmaScriptText)"
        )
      )
    }
  }

  private static func decodeVersion(
    _ node: RecipeNode?,
    _ start: RecipePosition,
    into recipe: inout Recipe,
    _ problems: inout RecipeProblems
  ) {
    guard let node else {
      problems.add("", start, .missingKey("recipe"))
      return
    }
    guard case .scalar(let value) = node.content, let version = value.integerValue else {
      problems.add(
        "recipe",
        node.position,
        .unexpectedKind(expected: "the version \(Recipe.currentVersion)", found: node.found)
      )
      return
    }
    guard version == Recipe.currentVersion else {
      problems.add(
        "recipe",
        node.position,
        .unknownVersion(found: String(version), supported: Recipe.currentVersion)
      )
      return
    }
    recipe.version = Recipe.currentVersion
  }

  private static func decodeName(
    _ node: RecipeNode,
    into recipe: inout Recipe,
    _ problems: inout RecipeProblems
  ) {
    switch RecipeValueShape.text(.title).value(of: node) {
    case .success(let value): recipe.name = value.stringValue
    case .failure(let fault): problems.add("name", node.position, fault.kind)
    }
  }

  private static func decodeOutputs(
    _ node: RecipeNode,
    into recipe: inout Recipe,
    _ problems: inout RecipeProblems
  ) {
    guard case .sequence(let elements) = node.content else {
      problems.add(
        "outputs",
        node.position,
        .unexpectedKind(expected: "a list of outputs", found: node.found)
      )
      return
    }
    guard !elements.isEmpty else {
      problems.add("outputs", node.position, .empty(expected: "at least one output"))
      return
    }
    guard elements.count <= RecipeLimits.outputCount else {
      problems.add("outputs", node.position, .tooMany(limit: RecipeLimits.outputCount))
      return
    }
    var ordinals: [String: Int] = [:]
    var paths: [String] = []
    for (index, element) in elements.enumerated() {
      guard
        let (kind, output, path) = decodeOutput(element, "outputs[\(index)]", &problems)
      else { continue }
      let ordinal = ordinals[kind, default: 0] + 1
      ordinals[kind] = ordinal
      let specification = OutputSpecification(
        id: output.id ?? OutputSpecification.defaultID(kind: kind, ordinal: ordinal),
        suffix: output.suffix,
        format: output.format
      )
      addConflicts(specification, path, element.position, recipe.outputs, paths, &problems)
      recipe.outputs.append(specification)
      paths.append(path)
    }
  }

  /// One output: a mapping with one key, its kind.
  private static func decodeOutput(
    _ node: RecipeNode,
    _ path: String,
    _ problems: inout RecipeProblems
  ) -> (kind: String, output: OutputKind.DecodedOutput, path: String)? {
    guard case .mapping(let members) = node.content, members.count == 1 else {
      problems.add(
        path,
        node.position,
        .unexpectedKind(
          expected: "a mapping of one kind to its settings, such as heic: {quality: 0.9}",
          found: node.found
        )
      )
      return nil
    }
    let member = members[0]
    let memberPath = path + "." + member.key
    guard let kind = OutputKind.all.first(where: { $0.name == member.key }) else {
      addUnknown(member, OutputKind.all.map(\.name), memberPath, &problems)
      return nil
    }
    guard let decode = kind.decode else {
      let supported = OutputKind.all.filter { $0.decode != nil }.map(\.name)
      problems.add(
        memberPath,
        member.position,
        .notSupportedYet(instead: "outputs are \(supported.joined(separator: " or "))")
      )
      return nil
    }
    return (kind.name, decode(member.value, memberPath, &problems), memberPath)
  }

  private static func addConflicts(
    _ output: OutputSpecification,
    _ path: String,
    _ position: RecipePosition,
    _ earlier: [OutputSpecification],
    _ earlierPaths: [String],
    _ problems: inout RecipeProblems
  ) {
    for (other, otherPath) in zip(earlier, earlierPaths) {
      if case .statistics = output.format, case .statistics = other.format {
        // Its rows would count each photo twice.
        let reason = "a raw has one set of statistics"
        let found = "a second statistics output"
        problems.add(path, position, .conflict(found: found, with: otherPath, valid: reason))
      }
      if other.id == output.id {
        problems.add(path, position, .sameID(as: otherPath, id: output.id))
      }
      if let name = output.nameEndings.first(where: other.nameEndings.contains) {
        problems.add(path, position, .sameFileName(as: otherPath, name: name))
      }
    }
  }
}
