/// The two languages that a recipe can be written in.
package enum RecipeFormat: Equatable, Sendable {
  case yaml
  case json

  /// JSON for a name that ends in `.json`, else YAML.
  package init(fileName: String) {
    self = fileName.lowercased().hasSuffix(".json") ? .json : .yaml
  }
}
