/// What becomes of a raw whose samples don't have the digest that its file states
/// (NewRawImageDigest, 51111; RawImageDigest, 50972).
package enum DigestPolicy: String, CaseIterable, Sendable {
  /// It is read, with a warning.
  case warn
  /// It is refused.
  case error
  /// Digests are not computed at all.
  case ignore
}
