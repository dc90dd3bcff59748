package import Digest

/// A replacement as the queue keeps it.
package struct KnownReplacement: Sendable {
  package var job: JobID
  package var recipe: SHA256Digest
  package var record: ReplacementRecord
  /// Whether a completion recorded that the new file stands in the original's place.
  package var isReplaced: Bool
  /// Whether the original was put back since.
  package var isRestored: Bool

  package init(
    job: JobID,
    recipe: SHA256Digest,
    record: ReplacementRecord,
    isReplaced: Bool,
    isRestored: Bool
  ) {
    self.job = job
    self.recipe = recipe
    self.record = record
    self.isReplaced = isReplaced
    self.isRestored = isRestored
  }
}
