package import Diagnostics

/// Why an attempt failed, as far as the queue cares.
package enum FailureClass: Int16, CaseIterable, Sendable {
  /// It would fail again everywhere.
  case permanent = 1
  /// The cause may pass.
  case transient = 2
  /// The host lacked memory or disk.
  case resource = 3
  /// The host is to blame, not the job.
  case hostFault = 4
  /// The process that worked on it died, or its worker was lost.
  case crash = 5

  /// The class of an error with this disposition; a worker that can't go on is no fault of the job.
  package init(_ disposition: Disposition) {
    self =
      switch disposition {
      case .permanent: .permanent
      case .transient: .transient
      case .resource: .resource
      case .hostFault, .fatalWorker: .hostFault
      }
  }
}
