package import Diagnostics

/// What can be wrong with a zlib stream (RFC 1950, RFC 1951).
package enum DeflateError: Error, Equatable, Sendable {
  /// The data breaks the format or its checksum; zlib's words.
  case damaged(String)
  /// The data ends before the stream does.
  case truncated
  /// The stream holds fewer bytes than the tile's samples take.
  case tooShort(byteCount: Int, expected: Int)
  /// The stream holds more bytes than the tile's samples take.
  case tooLong(expected: Int)
  /// zlib got no memory.
  case outOfMemory
}

extension DeflateError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .damaged: "deflateDamaged"
    case .truncated: "deflateTruncated"
    case .tooShort: "deflateTooShort"
    case .tooLong: "deflateTooLong"
    case .outOfMemory: "outOfMemory"
    }
  }

  package var message: String {
    switch self {
    case .damaged(let words):
      "the Deflate stream is damaged: \(words)"
    case .truncated:
      "the Deflate stream ends early"
    case .tooShort(let byteCount, let expected):
      "the Deflate stream holds \(byteCount) bytes; the samples take \(expected)"
    case .tooLong(let expected):
      "the Deflate stream holds more than the \(expected) bytes that the samples take"
    case .outOfMemory:
      "zlib got no memory"
    }
  }

  package var disposition: Disposition { self == .outOfMemory ? .resource : .permanent }
}
