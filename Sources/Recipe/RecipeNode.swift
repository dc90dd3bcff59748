internal import JSON

/// A piece of a recipe's text with its place: what YAML and JSON have in common.
struct RecipeNode: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    var key: String
    /// Where the key stands.
    var position: RecipePosition
    var value: RecipeNode
  }

  enum Content: Equatable, Sendable {
    /// Null, a boolean, a number or a string.
    case scalar(JSONValue)
    case sequence([RecipeNode])
    /// Keys are unique.
    case mapping([Member])
  }

  var content: Content
  var position: RecipePosition

  /// Where a member's value stands; of this node where it has no such member.
  func position(of key: String) -> RecipePosition {
    guard case .mapping(let members) = content else { return position }
    return members.first { $0.key == key }?.value.position ?? position
  }

  /// What stands here, for a message: short, and in words for what is long.
  var found: String {
    switch content {
    case .scalar(.null): return "nothing"
    case .scalar(.string(let text)):
      let shown = text.count > 40 ? String(text.prefix(40)) + "…" : text
      return "the text \(JSONValue.string(shown).text())"
    case .scalar(let value): return value.text()
    case .sequence: return "a list"
    case .mapping: return "a mapping"
    }
  }

  /// The word `default`, which means the same as leaving the key out.
  var isDefault: Bool {
    content == .scalar(.string("default"))
  }
}
