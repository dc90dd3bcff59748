/// What happened to a batch or a worker; the raw value is what the database stores.
package enum EventKind: String, CaseIterable, Sendable {
  case batchCreated
  /// By hand, or by the queue itself because its jobs fail alike; the message says why.
  case batchPaused
  case batchResumed
  case batchCancelled
  /// Every job of it has ended.
  case batchFinished
  /// More of its ended jobs have failed than its failure share allows.
  case failureSharePassed
  case workerStarted
  /// It was told to finish what it has.
  case workerDraining
  case workerEnded
  /// Its beat stood still, or its process was gone, before it had ended.
  case workerLost
  /// Its workers claim nothing for a time; the message says why.
  case hostSetAside
  /// Its workers claim nothing with one root for a time.
  case rootSetAside
  /// A host, or one of its roots, works again before its time.
  case hostAllowed
}
