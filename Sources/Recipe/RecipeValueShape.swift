internal import JSON

/// What the value of a key may be: checks a node, describes itself to people, and writes its schema.
enum RecipeValueShape: Sendable {
  /// A number in a range, with its unit where it has one.
  case number(ClosedRange<Double>, unit: String?)
  case boolean
  /// One of some words or numbers; `later` ones are known, but nothing does them yet.
  case choice([JSONValue], later: [JSONValue])
  /// One of some words, or a whole number in a range.
  case choiceOrCount([JSONValue], ClosedRange<Int>, unit: String)
  case text(RecipeTextRule)
  case point(RecipePointRule)
  /// The path of a file, or the file itself.
  case file(RecipeFile.Role)
  /// A text, or a list of texts.
  case textOrList(RecipeTextRule)
  /// A number, or a comparison with one; see `NumberCondition`.
  case comparison
  /// Keys of its own, which the decoder reads one by one.
  case mapping([RecipeKeyEntry])
  /// A value that only a later version will read.
  case later(String)

  /// The value of a node, or what is wrong with it.
  func value(of node: RecipeNode) -> Result<JSONValue, RecipeValueFault> {
    let mismatch = RecipeValueFault(
      kind: .unexpectedKind(expected: expectation, found: node.found)
    )
    if case .point(let rule) = self { return rule.value(of: node) }
    if case .file(let role) = self { return role.value(of: node) }
    guard case .scalar(let value) = node.content else {
      if case .later = self { return .success(.null) }
      if case .textOrList(let rule) = self, case .sequence(let elements) = node.content {
        return texts(elements, rule, in: node)
      }
      return .failure(mismatch)
    }
    switch self {
    case .textOrList(let rule):
      guard let text = value.stringValue else { return .failure(mismatch) }
      return rule.accepts(text) ? .success(value) : .failure(outOfRange(node))
    case .comparison:
      guard value.doubleValue != nil || value.stringValue != nil else { return .failure(mismatch) }
      return NumberCondition(value) == nil ? .failure(outOfRange(node)) : .success(value)
    case .number(let range, _):
      guard let number = value.doubleValue else { return .failure(mismatch) }
      guard range.contains(number) else { return .failure(outOfRange(node)) }
      return .success(value)
    case .boolean: return value.boolValue == nil ? .failure(mismatch) : .success(value)
    case .choice(let choices, let later):
      if choices.contains(value) { return .success(value) }
      if later.contains(value) {
        return .failure(.init(kind: .notSupportedYet(instead: "valid now: \(list(choices))")))
      }
      let kinds = choices + later
      guard kinds.contains(where: { $0.isSameKind(as: value) }) else { return .failure(mismatch) }
      return .failure(outOfRange(node))
    case .choiceOrCount(let choices, let range, _):
      if choices.contains(value) { return .success(value) }
      guard value.doubleValue != nil || value.stringValue != nil else { return .failure(mismatch) }
      guard let count = value.integerValue.flatMap({ Int(exactly: $0) }), range.contains(count)
      else { return .failure(outOfRange(node)) }
      return .success(value)
    case .text(let rule):
      guard let text = value.stringValue else { return .failure(mismatch) }
      return rule.accepts(text) ? .success(value) : .failure(outOfRange(node))
    case .mapping, .point, .file: return .failure(mismatch)
    case .later: return .success(value)
    }
  }

  private func texts(
    _ elements: [RecipeNode],
    _ rule: RecipeTextRule,
    in node: RecipeNode
  ) -> Result<JSONValue, RecipeValueFault> {
    guard !elements.isEmpty else {
      return .failure(RecipeValueFault(kind: .empty(expected: expectation)))
    }
    guard elements.count <= RecipeLimits.listCount else {
      return .failure(RecipeValueFault(kind: .tooMany(limit: RecipeLimits.listCount)))
    }
    var values: [JSONValue] = []
    for element in elements {
      switch RecipeValueShape.text(rule).value(of: element) {
      case .success(let value): values.append(value)
      case .failure(let fault): return .failure(fault)
      }
    }
    return .success(.array(values))
  }

  private func outOfRange(_ node: RecipeNode) -> RecipeValueFault {
    RecipeValueFault(kind: .outOfRange(expected: expectation, found: node.found))
  }

  /// What would be valid, in words.
  var expectation: String {
    switch self {
    case .number(let range, let unit):
      "a number from \(range.lowerBound.ecmaScriptText) to \(range.upperBound.ecmaScriptText)"
        + (unit.map { " \($0)" } ?? "")
    case .boolean: "true or false"
    case .choice(let choices, _): list(choices)
    case .choiceOrCount(let choices, let range, let unit):
      (choices.isEmpty ? "" : list(choices) + " or ")
        + "a whole number from \(range.lowerBound) to \(range.upperBound) \(unit)"
    case .text(let rule): rule.expectation
    case .point(let rule): rule.expectation
    case .file(let role): role.expectation
    case .textOrList(let rule): "\(rule.expectation); or a list of such texts"
    case .comparison: NumberCondition.expectation
    case .mapping: "a mapping of keys"
    case .later(let words): words
    }
  }

  /// The JSON Schema of the value, without the word `default`.
  var schema: [(key: String, value: JSONValue)] {
    switch self {
    case .number(let range, _):
      [
        ("type", "number"), ("minimum", JSONValue(range.lowerBound)),
        ("maximum", JSONValue(range.upperBound)),
      ]
    case .boolean: [("type", "boolean")]
    case .choice(let choices, _): [("enum", .array(choices))]
    case .choiceOrCount(let choices, let range, _):
      choices.isEmpty
        ? range.schema
        : [
          (
            "anyOf",
            [
              .object([(key: "enum", value: .array(choices))]), .object(range.schema),
            ]
          )
        ]
    case .text(let rule): [("type", "string"), ("pattern", .string(rule.pattern))]
    case .point(let rule): rule.schema
    case .file(let role): role.schema
    case .textOrList(let rule):
      [
        (
          "anyOf",
          [
            ["type": "string", "pattern": .string(rule.pattern)],
            [
              "type": "array", "minItems": 1, "maxItems": .init(RecipeLimits.listCount),
              "items": ["type": "string", "pattern": .string(rule.pattern)],
            ],
          ]
        )
      ]
    case .comparison:
      [
        (
          "anyOf",
          [
            [
              "type": "number", "minimum": JSONValue(NumberCondition.numbers.lowerBound),
              "maximum": JSONValue(NumberCondition.numbers.upperBound),
            ],
            ["type": "string", "pattern": .string(NumberCondition.pattern)],
          ]
        )
      ]
    case .mapping(let entries): RecipeSchema.mapping(entries)
    case .later: []
    }
  }

  private func list(_ choices: [JSONValue]) -> String {
    choices.map { $0.stringValue ?? $0.text() }.joined(separator: " or ")
  }
}

/// What is wrong with a value.
struct RecipeValueFault: Error {
  let kind: RecipeProblem.Kind
}

extension JSONValue {
  fileprivate func isSameKind(as other: JSONValue) -> Bool {
    (stringValue != nil) == (other.stringValue != nil)
      && (doubleValue != nil) == (other.doubleValue != nil)
      && (boolValue != nil) == (other.boolValue != nil)
  }
}

extension ClosedRange<Int> {
  /// The JSON Schema of a whole number within.
  fileprivate var schema: [(key: String, value: JSONValue)] {
    [
      ("type", "integer"), ("minimum", JSONValue(lowerBound)), ("maximum", JSONValue(upperBound)),
    ]
  }
}
