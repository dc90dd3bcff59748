extension Batch {
  /// A batch that another one waits for.
  package struct Predecessor: Equatable, Sendable {
    package var batch: BatchID
    /// A cancelled one never finishes: what waits for it waits until somebody decides.
    package var isCancelled: Bool

    package init(batch: BatchID, isCancelled: Bool) {
      self.batch = batch
      self.isCancelled = isCancelled
    }
  }
}
