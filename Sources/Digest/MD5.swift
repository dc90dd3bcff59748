/// MD5 (RFC 1321) of bytes as they come: for the DNG specification's digests, not for security.
package struct MD5: ~Copyable {
  private var context: MessageDigestContext

  /// Starts with no bytes.
  package init() {
    context = MessageDigestContext(.md5)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: RawSpan) {
    context.update(bytes)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    // UInt8 has no padding, so that all of its memory is initialised.
    unsafe context.update(bytes.bytes)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  /// The digest of all bytes added.
  package consuming func finalize() -> MD5Digest {
    MD5Digest(storage: context.finalize(into: SIMD16<UInt8>()))
  }

  /// The digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> MD5Digest {
    var hash = MD5()
    hash.update(bytes)
    return hash.finalize()
  }
}
