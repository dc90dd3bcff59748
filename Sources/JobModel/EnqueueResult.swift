/// What became of jobs that were submitted; every job is counted once.
package struct EnqueueResult: Equatable, Sendable {
  /// New jobs.
  package var inserted: Int
  /// Jobs that had failed, were cancelled, or lack an output, and now belong to this batch.
  package var redone: Int
  /// Jobs that wait or run already, by the batch that they belong to.
  package var live: [BatchID: Int]
  /// Jobs that are done.
  package var done: Int
  /// Jobs that were refused because another live job writes the same output.
  package var refused: [RefusedJob]
  /// Jobs that were named twice in the submission.
  package var duplicates: Int

  package init(
    inserted: Int = 0,
    redone: Int = 0,
    live: [BatchID: Int] = [:],
    done: Int = 0,
    refused: [RefusedJob] = [],
    duplicates: Int = 0
  ) {
    self.inserted = inserted
    self.redone = redone
    self.live = live
    self.done = done
    self.refused = refused
    self.duplicates = duplicates
  }

  /// Adds the result of another slice of the same submission.
  package mutating func add(_ other: EnqueueResult) {
    inserted += other.inserted
    redone += other.redone
    live.merge(other.live, uniquingKeysWith: +)
    done += other.done
    refused += other.refused
    duplicates += other.duplicates
  }
}
