package import Digest
internal import JSON

extension Recipe {
  /// SHA-256 of the canonical form (RFC 8785) without the name: equal for recipes that say the same.
  package var digest: SHA256Digest {
    SHA256.digest(of: canonicalJSON.bytes(.canonical))
  }
}
