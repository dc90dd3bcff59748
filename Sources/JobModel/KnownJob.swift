/// What the queue knows of a dedupe key.
package struct KnownJob: Equatable, Sendable {
  package var id: JobID
  package var batch: BatchID
  package var state: JobState
  /// Of a done job: what it published.
  ///
  /// The caller looks whether it is still there.
  package var outputs: [OutputRecord]

  package init(id: JobID, batch: BatchID, state: JobState, outputs: [OutputRecord]) {
    self.id = id
    self.batch = batch
    self.state = state
    self.outputs = outputs
  }
}
