package import JSON

/// One setting of a development as it was used: for provenance and for `recipe explain`.
package struct ResolvedSetting: Sendable {
  /// Where a value came from.
  package enum Origin: Equatable, Sendable {
    /// A key of the recipe's `develop` says so.
    case recipe
    /// The preset that the recipe names, or a rule of it.
    case preset(String)
    /// A rule of the recipe, 1 for the first.
    case rule(Int)
    /// A tag of the file says so.
    case file
    /// Neither does: the project's default.
    case `default`

    /// `recipe`, `preset linearScene`, `rule 2`, `file`, `default`.
    package var text: String {
      switch self {
      case .recipe: "recipe"
      case .preset(let name): "preset \(name)"
      case .rule(let number): "rule \(number)"
      case .file: "file"
      case .default: "default"
      }
    }
  }

  /// The key of the recipe (`neutralTemperature`).
  package var name: String
  package var value: JSONValue
  package var origin: Origin

  package init(name: String, value: JSONValue, origin: Origin) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}
