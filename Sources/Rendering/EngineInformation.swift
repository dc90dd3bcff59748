internal import CBuildInformation

/// What was built, for provenance.
package enum EngineInformation {
  /// The version of the program, as releases are named.
  package static let version = "0.1.0"

  /// The commit that was built, with "+" where the tree had changes; "unknown" outside a checkout.
  package static var sourceRevision: String {
    // A static, terminated string.
    unsafe String(cString: rawmill_source_revision())
  }
}
