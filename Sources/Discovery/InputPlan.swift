package import Digest
package import Recipe

/// What is done with one input.
package struct InputPlan: Sendable {
  /// The digest of its recipe.
  package let digest: SHA256Digest
  /// The files that its recipe writes.
  package let files: [OutputFile]
  /// Within the batch; the higher is done first.
  package var priority: Int

  package init(recipe: Recipe, priority: Int = 0) {
    digest = recipe.digest
    files = recipe.files
    self.priority = priority
  }
}
