package import Digest

/// One job as it is submitted.
package struct JobSpecification: Equatable, Sendable {
  package var key: DedupeKey
  package var input: InputFile
  /// Digest of the recipe, which must be registered before.
  package var recipe: SHA256Digest
  /// Within its batch; the higher is claimed first, equals in order of submission.
  package var priority: Int
  package var outputs: [PlannedOutput]
  /// Do it again even if it is recorded as done: an output of it is missing.
  package var redo: Bool
  /// Whether the one output takes the input's place.
  package var replacement: ReplacementPlan?

  package init(
    key: DedupeKey,
    input: InputFile,
    recipe: SHA256Digest,
    priority: Int = 0,
    outputs: [PlannedOutput],
    redo: Bool = false,
    replacement: ReplacementPlan? = nil
  ) {
    self.key = key
    self.input = input
    self.recipe = recipe
    self.priority = priority
    self.outputs = outputs
    self.redo = redo
    self.replacement = replacement
  }
}
