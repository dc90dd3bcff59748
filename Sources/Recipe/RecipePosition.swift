/// A place in the text of a recipe.
package struct RecipePosition: Equatable, Sendable {
  /// 1 for the first line.
  package let line: Int
  /// 1 for the first character of the line.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
