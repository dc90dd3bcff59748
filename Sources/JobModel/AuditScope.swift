/// What an audit is about.
package enum AuditScope: Equatable, Sendable {
  /// The outputs and kept originals of a batch's jobs.
  case batch(BatchID)
  /// Every recorded file in or below a folder, by each location that the folder has.
  case folder([FileLocation])

  /// Names the scope, so that an interrupted audit is found again.
  package var name: String {
    switch self {
    case .batch(let batch): "batch \(batch)"
    case .folder(let locations): "folder " + locations.map(\.description).joined(separator: " ")
    }
  }
}
