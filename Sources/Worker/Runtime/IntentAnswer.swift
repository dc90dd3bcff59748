internal import JobModel

/// What the worker's thread answers to a slot that wants its intents committed.
enum IntentAnswer: Sendable {
  /// They are committed; these are the intents of earlier attempts.
  case known([OutputIntent])
  /// The lease is somebody else's.
  case lost
  /// The database does not answer: ask again while the lease may stand.
  case unreachable
  /// The database refused: the job is worth another attempt.
  case refused(RemoteFailure)
}
