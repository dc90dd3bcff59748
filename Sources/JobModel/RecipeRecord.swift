package import Digest

/// A recipe as the queue keeps it.
package struct RecipeRecord: Equatable, Sendable {
  package var digest: SHA256Digest
  /// RFC 8785 JSON; its SHA-256 is the digest.
  package var canonicalJSON: String

  package init(digest: SHA256Digest, canonicalJSON: String) {
    self.digest = digest
    self.canonicalJSON = canonicalJSON
  }
}
