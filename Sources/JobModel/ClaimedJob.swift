/// A job that this worker holds the lease of.
package struct ClaimedJob: Equatable, Sendable {
  package var id: JobID
  /// How often it was claimed, this time included; never decreases.
  package var attempt: Int
  package var token: LeaseToken
  package var batch: BatchID
  package var input: InputFile
  package var recipe: RecipeRecord
  package var outputs: [PlannedOutput]
  /// Whether the one output takes the input's place.
  package var replacement: ReplacementPlan?
  /// Failures before this attempt.
  package var counts: FailureCounts
  package var retryPolicy: RetryPolicy
  /// Bytes that its child must be allowed, because it ran out of memory with less; 0: what a slot has.
  package var memoryFloor: Int64

  package init(
    id: JobID,
    attempt: Int,
    token: LeaseToken,
    batch: BatchID,
    input: InputFile,
    recipe: RecipeRecord,
    outputs: [PlannedOutput],
    replacement: ReplacementPlan? = nil,
    counts: FailureCounts,
    retryPolicy: RetryPolicy,
    memoryFloor: Int64 = 0
  ) {
    self.id = id
    self.attempt = attempt
    self.token = token
    self.batch = batch
    self.input = input
    self.recipe = recipe
    self.outputs = outputs
    self.replacement = replacement
    self.counts = counts
    self.retryPolicy = retryPolicy
    self.memoryFloor = memoryFloor
  }

  /// What names this attempt to the store.
  package var lease: Lease { Lease(job: id, attempt: attempt, token: token) }
}
