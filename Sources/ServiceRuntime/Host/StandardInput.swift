package import FileSystem
internal import Glibc

/// What is handed to the process on descriptor 0.
package enum StandardInput {
  /// All of it, or its first `limit` bytes; waits for its end.
  package static func read(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      var part = [UInt8](repeating: 0, count: min(1 << 16, limit - bytes.count))
      let count = unsafe part.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(0, buffer.baseAddress, buffer.count)
      }
      if count == 0 { break }
      if count < 0 {
        let number = errno
        if number == EINTR { continue }
        throw SystemError(errorNumber: number, call: "read", path: "standard input")
      }
      bytes += part.prefix(count)
    }
    return bytes
  }
}
