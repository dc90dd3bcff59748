/// What the queue does with a job that failed.
package enum Disposition: Equatable, Sendable {
  /// The same input would fail again everywhere: the job ends as failed at once.
  case permanent
  /// The cause may pass (a network share, a lock): the job is tried again after a delay.
  case transient
  /// The host lacked memory or disk: the job is tried again later.
  case resource
  /// The host is to blame, not the job (a root that is not mounted): the attempt is given back.
  case hostFault
  /// The worker itself can't go on: it gives its jobs back and ends.
  case fatalWorker
}
