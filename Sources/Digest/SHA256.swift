/// SHA-256 (FIPS 180-4) of bytes as they come.
///
///     var hash = SHA256()
///     hash.update(bytes)
///     let digest = hash.finalize()
package struct SHA256: ~Copyable {
  private var context: MessageDigestContext

  /// Starts with no bytes.
  package init() {
    context = MessageDigestContext(.sha256)
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

  /// Adds the UTF-8 of a text.
  package mutating func update(_ text: String) {
    update(Array(text.utf8))
  }

  /// The digest of all bytes added.
  package consuming func finalize() -> SHA256Digest {
    SHA256Digest(storage: context.finalize(into: SIMD32<UInt8>()))
  }

  /// The digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> SHA256Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
