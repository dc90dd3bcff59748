internal import Digest
internal import Discovery
internal import FileSystem
internal import JSON
internal import JobModel
internal import Recipe
internal import ServiceRuntime

/// The recipes of a submission: the one that was named, and what entries of a list make of it.
struct RecipeOverrides: Sendable {
  private let base: Recipe
  private let baseJSON: JSONValue
  /// By the canonical text of what is different.
  private var plans: [String: InputPlan] = [:]
  /// By digest, for the queue.
  private var records: [SHA256Digest: RecipeRecord] = [:]
  let basePlan: InputPlan

  init(_ base: Recipe) {
    self.base = base
    baseJSON = base.json
    basePlan = InputPlan(recipe: base)
    note(base)
  }

  private mutating func note(_ recipe: Recipe) {
    let digest = recipe.digest
    if records[digest] != nil { return }
    records[digest] = RecipeRecord(
      digest: digest,
      canonicalJSON: recipe.canonicalJSON.text(.canonical)
    )
  }

  /// The plan of an entry, whose override is merged and checked as strictly as any recipe.
  ///
  /// Files that it names are relative to the working directory.
  mutating func plan(for entry: InputEntry, of list: String) throws(ProgramError) -> InputPlan {
    var plan = basePlan
    if let override = entry.recipe {
      let text = override.text(.canonical)
      if let known = plans[text] {
        plan = known
      } else {
        let recipe = try recipe(override, entry.line, list)
        note(recipe)
        plan = InputPlan(recipe: recipe)
        plans[text] = plan
      }
    }
    plan.priority = entry.priority
    return plan
  }

  private func recipe(
    _ override: JSONValue,
    _ line: Int,
    _ list: String
  ) throws(ProgramError) -> Recipe {
    var recipe: Recipe
    do throws(RecipeError) {
      recipe = try Recipe(json: baseJSON.merging(override))
    } catch {
      // Places in the merged text would tell nobody anything; the path of the key does.
      let reasons =
        if case .invalid(let problems) = error { problems.map(\.message) } else {
          error.lines(file: nil)
        }
      throw .usage(.conflict(reasons.map { "\(list):\(line): \($0)" }.joined(separator: "\n")))
    }
    try RecipeSource.attachFiles(to: &recipe, folder: nil, name: "\(list):\(line)")
    return recipe
  }

  /// The records of the recipes with these digests.
  func records(for digests: Set<SHA256Digest>) -> [RecipeRecord] {
    digests.compactMap { records[$0] }
  }
}
