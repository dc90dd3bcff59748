package import Digest

/// Names one output path, so that no two live jobs write it.
package struct TargetKey: Hashable, Sendable {
  package let digest: SHA256Digest

  package init(_ location: FileLocation) {
    var encoding = KeyEncoding(tag: "rawmill.target.1")
    encoding.append(location)
    digest = SHA256.digest(of: encoding.bytes)
  }
}
