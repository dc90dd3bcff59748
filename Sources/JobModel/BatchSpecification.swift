/// What a submitter says about a new batch.
package struct BatchSpecification: Equatable, Sendable {
  /// A name for people.
  package var name: String
  /// Who submitted it.
  package var owner: String
  /// Batches of higher priority are served first; a batch gains one step for each `agingSeconds`.
  package var priority: Int
  /// The share among batches of equal priority; greater than 0.
  package var weight: Double
  package var agingSeconds: Int
  package var retryPolicy: RetryPolicy
  /// How many of its jobs may run at once, on all hosts together; nil: any number.
  package var maximumRunning: Int?
  /// A batch that must be finished before jobs of this one are claimed.
  package var after: BatchID?

  package init(
    name: String,
    owner: String = "",
    priority: Int = 0,
    weight: Double = 1,
    agingSeconds: Int = 3_600,
    retryPolicy: RetryPolicy,
    maximumRunning: Int? = nil,
    after: BatchID? = nil
  ) {
    self.name = name
    self.owner = owner
    self.priority = priority
    self.weight = weight
    self.agingSeconds = agingSeconds
    self.retryPolicy = retryPolicy
    self.maximumRunning = maximumRunning
    self.after = after
  }
}
