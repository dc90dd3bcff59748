internal import JSON

/// Builds a recipe's nodes from the steps of a JSON text.
struct JSONNodeBuilder: JSONEventHandler {
  private struct Container {
    var isMapping: Bool
    var position: RecipePosition
    var elements: [RecipeNode] = []
    var members: [RecipeNode.Member] = []
    var key = ""
    var keyPosition = RecipePosition(line: 1, column: 1)
  }

  private let text: [UInt8]
  private var open: [Container] = []
  private var result: RecipeNode?
  // The place of the last step: steps come in order, so the text is walked once.
  private var offset = 0
  private var line = 1
  private var column = 1

  private init(_ text: [UInt8]) {
    self.text = text
  }

  /// The value of a UTF-8 text.
  static func build(_ text: [UInt8], byteLimit: Int) throws(RecipeError) -> RecipeNode {
    var builder = JSONNodeBuilder(text)
    do throws(JSONError) {
      let limits = JSONLimits(byteCount: byteLimit, depth: RecipeLimits.depth)
      try JSONParser.parse(text, limits: limits, into: &builder)
    } catch {
      guard case .numberOutOfRange(let text, let at) = error else { throw .json(error) }
      throw .invalid([
        RecipeProblem(
          path: builder.path,
          position: RecipePosition(line: at.line, column: at.column),
          kind: .outOfRange(expected: "a finite number", found: text)
        )
      ])
    }
    return builder.result
      ?? RecipeNode(content: .scalar(.null), position: RecipePosition(line: 1, column: 1))
  }

  /// The path of the value that comes next.
  private var path: String {
    open.reduce("") { path, container in
      if !container.isMapping { return "\(path)[\(container.elements.count)]" }
      return path.isEmpty ? container.key : "\(path).\(container.key)"
    }
  }

  mutating func handle(_ event: JSONEvent, at offset: Int) {
    let position = advance(to: offset)
    switch event {
    case .beginObject: open.append(Container(isMapping: true, position: position))
    case .beginArray: open.append(Container(isMapping: false, position: position))
    case .key(let key):
      open[open.count - 1].key = key
      open[open.count - 1].keyPosition = position
    case .endObject, .endArray:
      let container = open.removeLast()
      add(
        RecipeNode(
          content: container.isMapping
            ? .mapping(container.members) : .sequence(container.elements),
          position: container.position
        )
      )
    case .scalar(let value): add(RecipeNode(content: .scalar(value), position: position))
    }
  }

  private mutating func add(_ node: RecipeNode) {
    guard let last = open.indices.last else {
      result = node
      return
    }
    if open[last].isMapping {
      open[last].members.append(
        .init(key: open[last].key, position: open[last].keyPosition, value: node)
      )
    } else {
      open[last].elements.append(node)
    }
  }

  private mutating func advance(to offset: Int) -> RecipePosition {
    while self.offset < offset {
      let byte = text[self.offset]
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      self.offset += 1
    }
    return RecipePosition(line: line, column: column)
  }
}
