package import Digest

/// A file that the queue has recorded: an output, or an original that a replacement keeps.
package struct AuditedFile: Equatable, Sendable {
  package var job: JobID
  /// The output's id; empty for a kept original.
  package var outputID: String
  package var location: FileLocation
  /// Bytes.
  package var size: Int64
  package var sha256: SHA256Digest
  /// What this audit found already, before it was interrupted.
  package var result: AuditResult?

  package init(
    job: JobID,
    outputID: String,
    location: FileLocation,
    size: Int64,
    sha256: SHA256Digest,
    result: AuditResult? = nil
  ) {
    self.job = job
    self.outputID = outputID
    self.location = location
    self.size = size
    self.sha256 = sha256
    self.result = result
  }

  /// Whether it is a kept original.
  package var isOriginal: Bool { outputID.isEmpty }
}
