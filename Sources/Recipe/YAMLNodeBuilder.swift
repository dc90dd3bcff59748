internal import JSON

/// Builds a recipe's nodes from YAML events and refuses what a recipe may not use of YAML: anchors,
/// aliases, tags, directives of YAML 1.1, keys that are no scalars, duplicate keys, second documents.
struct YAMLNodeBuilder: ~Copyable {
  private var reader: YAMLEventReader

  /// The one document of a UTF-8 text.
  static func build(_ bytes: [UInt8]) throws(RecipeError) -> RecipeNode {
    var builder = YAMLNodeBuilder(reader: try YAMLEventReader.open(bytes))
    return try builder.buildDocument()
  }

  private init(reader: consuming YAMLEventReader) {
    self.reader = reader
  }

  private mutating func buildDocument() throws(RecipeError) -> RecipeNode {
    _ = try reader.next()  // the stream's start
    let start = try reader.next()
    guard case .documentStart(let version, let hasTagDirectives) = start.kind else {
      throw .yaml(reason: "the recipe is empty", at: start.position)
    }
    guard version == nil || version == "1.2" else {
      throw .yaml(
        reason: "recipes are YAML 1.2; the text says %YAML \(version ?? "")",
        at: start.position
      )
    }
    guard !hasTagDirectives else { throw .yaml(reason: "tags are not allowed", at: start.position) }
    let root = try buildNode(try reader.next(), depth: 0, path: "")
    _ = try reader.next()  // the document's end
    let after = try reader.next()
    guard after.kind == .streamEnd else {
      throw .yaml(reason: "a second document is not allowed", at: after.position)
    }
    return root
  }

  /// - Parameters:
  ///   - event: The node's first event.
  ///   - depth: Of the node; 0 for the root.
  ///   - path: Of the key that the node is the value of, for messages.
  /// - Returns: The node with all below it.
  /// - Throws: `yaml` for what a recipe may not hold.
  private mutating func buildNode(
    _ event: YAMLEvent,
    depth: Int,
    path: String
  ) throws(RecipeError) -> RecipeNode {
    guard !event.hasAnchor else {
      throw .yaml(reason: "anchors are not allowed", at: event.position)
    }
    guard !event.hasTag else { throw .yaml(reason: "tags are not allowed", at: event.position) }
    guard depth < RecipeLimits.depth else {
      throw .yaml(
        reason: "mappings and lists nest deeper than \(RecipeLimits.depth) levels",
        at: event.position
      )
    }
    switch event.kind {
    case .scalar(let text, let isPlain):
      let value = isPlain ? YAMLCoreSchema.resolve(text) : .string(text)
      guard let value else {
        throw .invalid([
          RecipeProblem(
            path: path,
            position: event.position,
            kind: .outOfRange(expected: "a finite number", found: text)
          )
        ])
      }
      return RecipeNode(content: .scalar(value), position: event.position)
    case .sequenceStart: return try buildSequence(event, depth: depth, path: path)
    case .mappingStart: return try buildMapping(event, depth: depth, path: path)
    default: throw .yaml(reason: "aliases are not allowed", at: event.position)
    }
  }

  private mutating func buildSequence(
    _ start: YAMLEvent,
    depth: Int,
    path: String
  ) throws(RecipeError) -> RecipeNode {
    var elements: [RecipeNode] = []
    while true {
      let event = try reader.next()
      if event.kind == .sequenceEnd { break }
      let place = "\(path)[\(elements.count)]"
      elements.append(try buildNode(event, depth: depth + 1, path: place))
    }
    return RecipeNode(content: .sequence(elements), position: start.position)
  }

  private mutating func buildMapping(
    _ start: YAMLEvent,
    depth: Int,
    path: String
  ) throws(RecipeError) -> RecipeNode {
    var members: [RecipeNode.Member] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try reader.next()
      if event.kind == .mappingEnd { break }
      guard case .scalar(let key, _) = event.kind, !event.hasAnchor, !event.hasTag else {
        throw .yaml(
          reason: "a key must be a plain word, without anchor, alias or tag",
          at: event.position
        )
      }
      if let line = lines.updateValue(event.position.line, forKey: key) {
        throw .yaml(
          reason: "the key \(JSONValue.string(key).text()) stands twice; first in line \(line)",
          at: event.position
        )
      }
      let place = path.isEmpty ? key : "\(path).\(key)"
      let value = try buildNode(try reader.next(), depth: depth + 1, path: place)
      members.append(.init(key: key, position: event.position, value: value))
    }
    return RecipeNode(content: .mapping(members), position: start.position)
  }
}
