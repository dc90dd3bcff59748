/// That a job's one output takes the place of its input.
package struct ReplacementPlan: Hashable, Sendable {
  /// Where the original is kept; nil: nowhere.
  package let kept: FileLocation?

  package init(kept: FileLocation?) {
    self.kept = kept
  }
}
