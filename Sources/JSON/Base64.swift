/// Bytes as text: RFC 4648, section 4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// 255 for what is no digit.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
    return digits
  }()

  /// The text of some bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
      }
      for digit in 0..<4 {
        let isPadding = digit > count
        let value = Int(group >> UInt32(18 - 6 * digit)) & 63
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[value])
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil for anything but whole groups of digits with zeros in the unused bits.
  package static func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: 4) {
      var padding = 0
      if start + 4 == text.count {
        if text[start + 3] == UInt8(ascii: "=") { padding = 1 }
        if padding == 1 && text[start + 2] == UInt8(ascii: "=") { padding = 2 }
      }
      var group: UInt32 = 0
      for offset in 0..<4 {
        let digit = offset >= 4 - padding ? 0 : digits[Int(text[start + offset])]
        guard digit < 64 else { return nil }
        group = group << 6 | UInt32(digit)
      }
      guard group & (padding == 0 ? 0 : padding == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
      for offset in 0..<(3 - padding) {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * offset)))
      }
    }
    return bytes
  }
}
