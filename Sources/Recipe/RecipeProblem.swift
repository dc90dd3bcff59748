/// One thing that is wrong in a recipe.
package struct RecipeProblem: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// No key of this name exists here; the nearest one, or all valid ones if none is near.
    case unknownKey(nearest: String?, valid: [String])
    /// The language knows it, but no stage or encoder of this version does it.
    case notSupportedYet(instead: String?)
    /// A mapping with fixed members has another one.
    case unknownMember(String, valid: [String])
    case unexpectedKind(expected: String, found: String)
    /// A number outside its range, or a word that is none of the choices.
    case outOfRange(expected: String, found: String)
    case missingKey(String)
    /// Two keys that say the same thing in different ways.
    case excludes(other: String)
    /// Two outputs would be written to one file.
    case sameFileName(as: String, name: String)
    case sameID(as: String, id: String)
    /// A value that does not go with another key's.
    case conflict(found: String, with: String, valid: String)
    case unknownVersion(found: String, supported: Int)
    case tooMany(limit: Int)
    case empty(expected: String)
  }

  /// The path of the key, such as `outputs[0].heic.quality`; empty for the whole recipe.
  package let path: String
  package let position: RecipePosition
  package let kind: Kind

  package init(path: String, position: RecipePosition, kind: Kind) {
    self.path = path
    self.position = position
    self.kind = kind
  }

  /// What is wrong and what would be valid, with the path of the key, without the place.
  package var message: String {
    path.isEmpty ? "recipe: \(reason)" : "\(path): \(reason)"
  }

  private var reason: String {
    switch kind {
    case .unknownKey(let nearest?, _): "unknown key; did you mean \(nearest)?"
    case .unknownKey(nil, let valid): "unknown key; valid keys are \(valid.joined(separator: ", "))"
    case .notSupportedYet(let instead?): "not supported yet; \(instead)"
    case .notSupportedYet(nil): "not supported yet"
    case .unknownMember(let member, let valid):
      "unknown key \(member); valid keys are \(valid.joined(separator: " and "))"
    case .unexpectedKind(let expected, let found): "expected \(expected), found \(found)"
    case .outOfRange(let expected, let found): "\(found) is not valid; expected \(expected)"
    case .missingKey(let key): "the key \(key) is missing"
    case .excludes(let other): "cannot be combined with \(other); keep one of them"
    case .sameFileName(let other, let name):
      "writes the same file as \(other) ({name}\(name)); give one of them a suffix"
    case .sameID(let other, let id): "has the id \(id) of \(other); ids must differ"
    case .conflict(let found, let other, let valid): "\(found) does not go with \(other); \(valid)"
    case .unknownVersion(let found, let supported):
      "version \(found) is unknown; this rawmill reads version \(supported)"
    case .tooMany(let limit): "more than \(limit) are too many"
    case .empty(let expected): "empty; expected \(expected)"
    }
  }
}
