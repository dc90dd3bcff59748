package import FileSystem

/// Where text goes: a descriptor, or a test's own memory.
///
/// What is written comes out whole up to the first failure and ends there: nothing is written behind a gap.
package struct TextOutput: Sendable {
  private let writeBytes: @Sendable ([UInt8]) -> Void
  /// Nil: the output can't fail.
  private let stream: OutputStream?

  /// An output that hands text to a closure, which always takes it.
  package init(_ write: @escaping @Sendable (String) -> Void) {
    writeBytes = { write(String(decoding: $0, as: UTF8.self)) }
    stream = nil
  }

  /// An output to a descriptor that the caller keeps open.
  package init(descriptor: Int32) {
    let stream = OutputStream(descriptor: descriptor)
    writeBytes = { stream.write($0) }
    self.stream = stream
  }

  package static let standardOutput = TextOutput(descriptor: 1)
  package static let standardError = TextOutput(descriptor: 2)

  /// Whether some of what was written is lost: what comes now is lost as well.
  package var hasFailed: Bool { stream?.failure != nil }

  /// Writes text as it is.
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

  /// Has a file system say what it keeps for the end, and gives the first failure of all writes, if there
  /// was one.
  package func finish() -> SystemError? { stream?.finish() }
}
