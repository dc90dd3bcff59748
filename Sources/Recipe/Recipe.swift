/// A recipe: how pictures are developed and which outputs are written.
///
/// What a person wrote, checked but not yet resolved against a file: an absent value means "as the
/// file says".
package struct Recipe: Equatable, Sendable {
  /// The version of the recipe language (key `recipe`); 1 today.
  package var version: Int
  /// A name for people; not part of the digest.
  package var name: String?
  package var develop: DevelopAdjustments
  /// Further settings for some of the pictures; later ones win.
  package var rules: [RecipeRule]
  package var outputs: [OutputSpecification]

  package init(
    version: Int = 1,
    name: String? = nil,
    develop: DevelopAdjustments = .init(),
    rules: [RecipeRule] = [],
    outputs: [OutputSpecification]
  ) {
    self.version = version
    self.name = name
    self.develop = develop
    self.rules = rules
    self.outputs = outputs
  }
}
