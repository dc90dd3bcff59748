internal import FileSystem
internal import Glibc

/// Where text goes: a descriptor, or a test's own memory.
package struct TextOutput: Sendable {
  private let writeBytes: @Sendable ([UInt8]) -> Void

  /// An output that hands text to a closure.
  package init(_ write: @escaping @Sendable (String) -> Void) {
    writeBytes = { write(String(decoding: $0, as: UTF8.self)) }
  }

  private init(descriptor: Int32) {
    writeBytes = { Self.writeAll($0, to: descriptor) }
  }

  package static let standardOutput = TextOutput(descriptor: 1)
  package static let standardError = TextOutput(descriptor: 2)

  /// Writes text as it is.
  ///
  /// What cannot be written is dropped: nobody is left who could be told.
  package func write(_ text: String) {
    writeBytes(Array(text.utf8))
  }

  /// Writes bytes as they are; an output that takes text gets them as text.
  package func write(bytes: [UInt8]) {
    writeBytes(bytes)
  }

  /// Writes text and a line feed in one piece.
  package func writeLine(_ text: String) {
    writeBytes(Array(text.utf8) + [0x0A])
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
