/// A batch and how far it is.
package struct Batch: Equatable, Sendable {
  package var id: BatchID
  package var name: String
  package var owner: String
  package var state: BatchState
  /// Whether its submission is complete.
  package var isSealed: Bool
  package var priority: Int
  /// Jobs that belong to it.
  package var total: Int
  package var progress: BatchProgress
  /// Microseconds since 1970-01-01 UTC.
  package var createdMicroseconds: Int64
  package var finishedMicroseconds: Int64?
  /// Why it is paused, in a sentence; nil where nobody gave a reason.
  package var pauseReason: String?
  /// Who paused it: a user, or `rawmill` itself; nil unless it is paused.
  package var pausedBy: String?
  /// Its share among batches of equal priority.
  package var weight: Double
  /// How many of its jobs may run at once; nil: any number.
  package var maximumRunning: Int?
  /// What it waits for, if it waits: the batch that must be finished first.
  package var waitsFor: Predecessor?

  package init(
    id: BatchID,
    name: String,
    owner: String,
    state: BatchState,
    isSealed: Bool,
    priority: Int,
    total: Int,
    progress: BatchProgress,
    createdMicroseconds: Int64,
    finishedMicroseconds: Int64?,
    pauseReason: String? = nil,
    pausedBy: String? = nil,
    weight: Double = 1,
    maximumRunning: Int? = nil,
    waitsFor: Predecessor? = nil
  ) {
    self.id = id
    self.name = name
    self.owner = owner
    self.state = state
    self.isSealed = isSealed
    self.priority = priority
    self.total = total
    self.progress = progress
    self.createdMicroseconds = createdMicroseconds
    self.finishedMicroseconds = finishedMicroseconds
    self.pauseReason = pauseReason
    self.pausedBy = pausedBy
    self.weight = weight
    self.maximumRunning = maximumRunning
    self.waitsFor = waitsFor
  }

  /// Jobs that have not ended.
  package var remaining: Int { max(0, total - progress.ended) }
}
