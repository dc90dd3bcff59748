/// Settings that hold for some of the pictures: one entry of `rules`.
package struct RecipeRule: Equatable, Sendable {
  /// What a picture must be.
  package var when: RecipeCondition
  /// What is set for it, over `develop` and over earlier rules.
  package var develop: DevelopAdjustments

  package init(when: RecipeCondition, develop: DevelopAdjustments) {
    self.when = when
    self.develop = develop
  }
}
