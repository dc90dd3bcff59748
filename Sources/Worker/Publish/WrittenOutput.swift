package import Digest

/// An output that was written, flushed and read back.
package struct WrittenOutput: Equatable, Sendable {
  package let target: OutputTarget
  /// Bytes.
  package let size: Int64
  package let sha256: SHA256Digest

  package init(target: OutputTarget, size: Int64, sha256: SHA256Digest) {
    self.target = target
    self.size = size
    self.sha256 = sha256
  }
}
