package import JSON

/// One setting of a development as it was used: for provenance and for `recipe explain`.
package struct ResolvedSetting: Sendable {
  /// Where a value came from.
  package enum Origin: String, Sendable {
    /// The recipe says so.
    case recipe
    /// A tag of the file says so.
    case file
    /// Neither does: the project's default.
    case `default`
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
