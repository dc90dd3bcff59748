internal import Digest

/// HMAC with SHA-256 (RFC 2104): proves that a message comes from who has the key.
package enum HMACSHA256 {
  /// Bytes that SHA-256 takes at a time, the B of RFC 2104.
  private static let blockBytes = 64

  /// The code of a message as 64 lower-case hexadecimal digits.
  package static func hex(of message: [UInt8], key: [UInt8]) -> String {
    // A key longer than a block is replaced by its digest; a shorter one is filled up with zeros.
    var block = key.count > blockBytes ? SHA256.digest(of: key).bytes : key
    block += Array(repeating: 0, count: blockBytes - block.count)
    let inner = SHA256.digest(of: block.map { $0 ^ 0x36 } + message)
    return SHA256.digest(of: block.map { $0 ^ 0x5C } + inner.bytes).hex
  }
}
