/// What a worker knows of a lease that it holds.
enum LeaseStanding: Sendable {
  /// It counts: others give the worker up later than this.
  case valid
  /// The worker could not say in time that it lives. Whether somebody else decides the job by now is
  /// known when the server answers again.
  case inDoubt
  /// Somebody else decides.
  case lost
}
