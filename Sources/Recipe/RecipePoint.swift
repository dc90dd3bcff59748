/// A pair of numbers in a recipe: a chromaticity or a place.
package struct RecipePoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
