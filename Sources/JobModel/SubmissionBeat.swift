/// A batch whose submission has not ended, and its submitter's last beat, as another process sees them.
package struct SubmissionBeat: Equatable, Sendable {
  package var batch: BatchID
  /// Counts what the submitter did.
  package var beat: Int64

  package init(batch: BatchID, beat: Int64) {
    self.batch = batch
    self.beat = beat
  }
}
