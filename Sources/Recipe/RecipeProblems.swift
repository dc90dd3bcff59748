/// Collects what is wrong in a recipe, up to a limit.
struct RecipeProblems {
  private(set) var all: [RecipeProblem] = []

  mutating func add(_ path: String, _ position: RecipePosition, _ kind: RecipeProblem.Kind) {
    guard all.count < RecipeLimits.problemCount else { return }
    all.append(RecipeProblem(path: path, position: position, kind: kind))
  }
}
