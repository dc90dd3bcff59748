/// The 16 bytes of an MD5 digest.
package struct MD5Digest: Hashable, Sendable {
  private let storage: SIMD16<UInt8>

  init(storage: SIMD16<UInt8>) {
    self.storage = storage
  }

  /// The digest with these 16 bytes; nil for any other number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    storage = SIMD16(bytes)
  }

  /// The digest that 32 hexadecimal digits spell, in either case; nil for any other text.
  package init?(hex: String) {
    guard let bytes = hexBytes(hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// The 16 bytes in order.
  package var bytes: [UInt8] { (0..<16).map { storage[$0] } }

  /// 32 lower-case hexadecimal digits.
  package var hex: String { hexText(bytes) }
}

extension MD5Digest: CustomStringConvertible {
  package var description: String { hex }
}
