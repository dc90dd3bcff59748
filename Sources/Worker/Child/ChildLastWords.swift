internal import CLinux
internal import FileSystem
internal import Glibc

/// The last thing that a child printed, for the message of its crash.
///
/// A pipe that nobody reads while the child works: it holds 64 KiB, and as it does not block, a library
/// that prints warnings without end loses them instead of stopping the child.
final class ChildLastWords: Sendable {
  private let readingEnd: FileDescriptor
  /// The longest text of a message.
  private static let textLimit = 300

  private init(_ readingEnd: consuming FileDescriptor) {
    self.readingEnd = readingEnd
  }

  /// The reading side, and the descriptor for the child's outputs.
  static func make() throws(WorkerError) -> (ChildLastWords, OpenFile) {
    var ends: [Int32] = [-1, -1]
    let result = unsafe rawmill_pipe_nonblocking(&ends)
    if result < 0 { throw .system(SystemError(errorNumber: -result, call: "pipe2")) }
    return (
      ChildLastWords(FileDescriptor(owning: ends[0])), OpenFile(FileDescriptor(owning: ends[1]))
    )
  }

  /// Forgets what was printed so far.
  func discard() {
    _ = drain()
  }

  /// What a child had printed when it ended.
  struct Words: Equatable {
    /// Its last line, cut to a sentence's length; before a trace of the stack, the line before it.
    var text: String
    /// Whether it says that no memory was to be had.
    var tellsOfMemory: Bool
  }

  /// Swift's runtime, the C++ library's `bad_alloc`, x265, and what C libraries print of `ENOMEM`.
  private static let memoryPhrases = [
    "failed to allocate", "bad_alloc", "malloc of size", "Cannot allocate memory", "out of memory",
  ]

  func read() -> Words {
    let lines = String(decoding: drain(), as: UTF8.self)
      .split(whereSeparator: { $0.isNewline }).filter { !$0.allSatisfy(\.isWhitespace) }
    let spoken = lines.prefix { !$0.hasPrefix("Current stack trace") }
    guard let last = spoken.last ?? lines.last else { return Words(text: "", tellsOfMemory: false) }
    return Words(
      text: FilePath(String(last.suffix(ChildLastWords.textLimit))).displayText,
      tellsOfMemory: ChildLastWords.memoryPhrases.contains { last.contains($0) }
    )
  }

  private func drain() -> [UInt8] {
    var kept: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(readingEnd.rawValue, &buffer, buffer.count)
      // The end, nothing there now, or a signal: all end the look.
      guard count > 0 else { return kept }
      kept = Array((kept + buffer[..<count]).suffix(1 << 16))
    }
  }
}
