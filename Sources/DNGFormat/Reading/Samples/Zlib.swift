internal import CZlib

/// The one place that calls zlib, by functions of `shim.c`.
enum Zlib {
  /// Inflates a stream that fills `output` exactly.
  ///
  /// Bytes after the stream are padding.
  ///
  /// - Throws: `DeflateError`.
  static func inflate(
    _ bytes: Span<UInt8>,
    into output: inout [UInt8]
  ) throws(DeflateError) {
    let capacity = output.count
    var written = 0
    var words: UnsafePointer<CChar>?
    // Both buffers are used during the call only; zlib stays within the counts.
    let status = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe rawmill_inflate(
          source.baseAddress,
          source.count,
          target.baseAddress,
          target.count,
          &written,
          &words
        )
      }
    }
    switch status {
    case RAWMILL_ZLIB_OK: break
    case RAWMILL_ZLIB_TRUNCATED: throw .truncated
    case RAWMILL_ZLIB_SURPLUS: throw .tooLong(expected: capacity)
    case RAWMILL_ZLIB_NO_MEMORY: throw .outOfMemory
    default:
      // A constant of the library.
      throw .damaged(unsafe words.map { unsafe String(cString: $0) } ?? "invalid data")
    }
    guard written == capacity else { throw .tooShort(byteCount: written, expected: capacity) }
  }
}
