/// Rows of the database as they stand at the end of a run.
package enum HistoryRow {
  /// A row of `job`, with what `failure` says of it.
  package struct Job: Equatable, Sendable {
    package var id: Int64
    package var batch: Int64
    package var input: String
    /// 1 done, 2 failed, 3 cancelled, 4 skipped; nil: it has not ended.
    package var outcome: Int64?
    package var attempt: Int64
    /// How many outputs it was to write.
    package var outputs: Int64
    package var failureCode: String?

    package init(
      id: Int64,
      batch: Int64,
      input: String,
      outcome: Int64?,
      attempt: Int64,
      outputs: Int64,
      failureCode: String? = nil
    ) {
      self.id = id
      self.batch = batch
      self.input = input
      self.outcome = outcome
      self.attempt = attempt
      self.outputs = outputs
      self.failureCode = failureCode
    }
  }

  /// How an attempt ended: a row of `provenance`, or of `attempt`.
  package struct Attempt: Equatable, Sendable {
    package var job: Int64
    package var attempt: Int64
    package var batch: Int64
    package var worker: Int64
    /// Microseconds of the database's clock.
    package var claimedAt: Int64
    package var endedAt: Int64
    /// 1 failed for now, 2 failed for good, 3 given back, 4 stopped; nil in `provenance`.
    package var ending: Int64?

    package init(
      job: Int64,
      attempt: Int64,
      batch: Int64,
      worker: Int64,
      claimedAt: Int64,
      endedAt: Int64,
      ending: Int64? = nil
    ) {
      self.job = job
      self.attempt = attempt
      self.batch = batch
      self.worker = worker
      self.claimedAt = claimedAt
      self.endedAt = endedAt
      self.ending = ending
    }
  }

  /// A row of `output`.
  package struct Output: Equatable, Sendable {
    package var job: Int64
    package var attempt: Int64
    package var path: String
    package var size: Int64
    package var sha256: String
    package var isPublished: Bool

    package init(
      job: Int64,
      attempt: Int64,
      path: String,
      size: Int64,
      sha256: String,
      isPublished: Bool
    ) {
      self.job = job
      self.attempt = attempt
      self.path = path
      self.size = size
      self.sha256 = sha256
      self.isPublished = isPublished
    }
  }

  /// A batch and what its progress counts.
  package struct Batch: Equatable, Sendable {
    package var id: Int64
    package var state: Int64
    package var total: Int64
    package var done: Int64
    package var failed: Int64
    package var cancelled: Int64
    package var isFinished: Bool
    /// The most jobs that may run at once; nil: any number.
    package var cap: Int64?

    package init(
      id: Int64,
      state: Int64,
      total: Int64,
      done: Int64,
      failed: Int64 = 0,
      cancelled: Int64 = 0,
      isFinished: Bool = true,
      cap: Int64? = nil
    ) {
      self.id = id
      self.state = state
      self.total = total
      self.done = done
      self.failed = failed
      self.cancelled = cancelled
      self.isFinished = isFinished
      self.cap = cap
    }
  }
}
