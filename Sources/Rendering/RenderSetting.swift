internal import Develop
package import JSON

/// A setting as a render used it: name, value and where the value came from.
package struct RenderSetting: Equatable, Sendable {
  /// The key of the recipe (`neutralTemperature`).
  package var name: String
  package var value: JSONValue
  /// `recipe`, `preset linearScene`, `rule 2`, `file` or `default`.
  package var origin: String

  package init(name: String, value: JSONValue, origin: String) {
    self.name = name
    self.value = value
    self.origin = origin
  }

  init(_ setting: ResolvedSetting) {
    self.init(name: setting.name, value: setting.value, origin: setting.origin.text)
  }
}
