package import JobModel

/// How a worker is, for those who look from another thread.
package struct WorkerVitals: Equatable, Sendable {
  /// Its identity in the queue; nil while it has none.
  package var worker: WorkerID?
  /// Since the last beat that was answered was sent; nil without an identity.
  package var beatAge: Duration?
  /// Whether its leases may be counted on.
  package var isLeaseValid: Bool
  /// Jobs whose leases it holds.
  package var held: Int
  /// Of those, jobs that are over and wait to be written to the queue.
  package var unsettled: Int
  /// Since it got the oldest lease that it holds.
  package var oldestLeaseAge: Duration?
  /// Connections that were opened after the first.
  package var reconnections: Int
  /// Child processes that were started.
  package var childStarts: Int
}
