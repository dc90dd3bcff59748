internal import JSON

/// What a pair of numbers in a recipe may be: a mapping of `x` and `y`.
struct RecipePointRule: Sendable {
  let limits: ClosedRange<Double>
  let unit: String?

  /// The point of a node as JSON, or what is wrong with it.
  func value(of node: RecipeNode) -> Result<JSONValue, RecipeValueFault> {
    let mismatch = RecipeValueFault(kind: .unexpectedKind(expected: expectation, found: node.found))
    guard case .mapping(let members) = node.content else { return .failure(mismatch) }
    for member in members where member.key != "x" && member.key != "y" {
      return .failure(RecipeValueFault(kind: .unknownMember(member.key, valid: ["x", "y"])))
    }
    var numbers: [(key: String, value: JSONValue)] = []
    for key in ["x", "y"] {
      guard let node = members.first(where: { $0.key == key })?.value else {
        return .failure(RecipeValueFault(kind: .missingKey(key)))
      }
      guard case .scalar(let value) = node.content, let number = value.doubleValue else {
        return .failure(
          RecipeValueFault(kind: .unexpectedKind(expected: expectation, found: node.found))
        )
      }
      guard limits.contains(number) else {
        return .failure(
          RecipeValueFault(
            kind: .outOfRange(expected: expectation, found: "\(key): \(node.found)")
          )
        )
      }
      numbers.append((key: key, value: value))
    }
    return .success(.object(numbers))
  }

  var expectation: String {
    "a mapping of x and y, each from \(limits.lowerBound.ecmaScriptText) to \(limits.upperBound.ecmaScriptText)"
      + (unit.map { " \($0)" } ?? "")
  }

  var schema: [(key: String, value: JSONValue)] {
    let number: JSONValue = [
      "type": "number", "minimum": .init(limits.lowerBound), "maximum": .init(limits.upperBound),
    ]
    return [
      ("type", "object"), ("additionalProperties", false), ("required", ["x", "y"]),
      ("properties", ["x": number, "y": number]),
    ]
  }
}

extension RecipeFile.Role {
  /// The file of a node as JSON, or what is wrong with it.
  func value(of node: RecipeNode) -> Result<JSONValue, RecipeValueFault> {
    let mismatch = RecipeValueFault(kind: .unexpectedKind(expected: expectation, found: node.found))
    switch node.content {
    case .scalar(let value):
      guard let path = value.stringValue else { return .failure(mismatch) }
      guard RecipeFile.isPath(path) else {
        return .failure(
          RecipeValueFault(kind: .outOfRange(expected: expectation, found: node.found))
        )
      }
      return .success(value)
    case .mapping(let members):
      var object: [(key: String, value: JSONValue)] = []
      for member in members {
        guard member.key == "name" || member.key == "base64" else {
          return .failure(
            RecipeValueFault(kind: .unknownMember(member.key, valid: ["name", "base64"]))
          )
        }
        guard case .scalar(let value) = member.value.content else { return .failure(mismatch) }
        object.append((key: member.key, value: value))
      }
      guard let file = RecipeFile(json: .object(object)), RecipeFile.isPath(file.name),
        let contents = file.contents, contents.count <= byteLimit
      else { return .failure(mismatch) }
      return .success(.object(object))
    case .sequence: return .failure(mismatch)
    }
  }

  var expectation: String {
    switch self {
    case .profile: "the path of a .dcp file, relative to the recipe's folder"
    case .lut: "the path of a .cube file, relative to the recipe's folder"
    }
  }

  var schema: [(key: String, value: JSONValue)] {
    [
      (
        "anyOf",
        [
          ["type": "string", "minLength": 1, "maxLength": 4096],
          [
            "type": "object", "additionalProperties": false, "required": ["name", "base64"],
            "properties": [
              "name": ["type": "string"],
              "base64": ["type": "string", "contentEncoding": "base64"],
            ],
          ],
        ]
      )
    ]
  }
}
