/// The 32 bytes of a SHA-256 digest.
package struct SHA256Digest: Hashable, Sendable {
  private let storage: SIMD32<UInt8>

  init(storage: SIMD32<UInt8>) {
    self.storage = storage
  }

  /// The digest with these 32 bytes; nil for any other number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    storage = SIMD32(bytes)
  }

  /// The digest that 64 hexadecimal digits spell, in either case; nil for any other text.
  package init?(hex: String) {
    guard let bytes = hexBytes(hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// The 32 bytes in order.
  package var bytes: [UInt8] { (0..<32).map { storage[$0] } }

  /// 64 lower-case hexadecimal digits.
  package var hex: String { hexText(bytes) }
}

extension SHA256Digest: CustomStringConvertible {
  package var description: String { hex }
}
