internal import Glibc

/// The result of a `CLinux` function: the value, or the negated `errno` as an error.
@discardableResult
func check(
  _ result: some BinaryInteger,
  _ call: String,
  _ path: FilePath? = nil
) throws(SystemError) -> Int {
  guard result < 0 else { return Int(result) }
  throw SystemError(errorNumber: Int32(-Int(result)), call: call, path: path)
}

/// The result of a C library function that returns -1 and sets `errno`.
///
/// The call stands in the closure so that nothing runs between it and the look at `errno`. It is
/// called again while a signal interrupts it.
@discardableResult
func checkErrno(
  _ call: String,
  _ path: FilePath? = nil,
  retryingInterrupts: Bool = true,
  _ body: () -> Int
) throws(SystemError) -> Int {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number == EINTR, retryingInterrupts { continue }
    throw SystemError(errorNumber: number, call: call, path: path)
  }
}

extension FilePath {
  /// Lends the path as a C string.
  ///
  /// - Throws: `EINVAL` for a path with a NUL, which the kernel would cut short, and for an empty one.
  package func withCString<Result>(
    _ call: String,
    _ body: (UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard !bytes.isEmpty, !bytes.contains(0) else {
      throw SystemError(errorNumber: EINVAL, call: call, path: self)
    }
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    return try unsafe terminated.withUnsafeBufferPointer {
      (buffer) throws(SystemError) -> Result in
      guard let base = buffer.baseAddress else {
        throw SystemError(errorNumber: EINVAL, call: call, path: self)
      }
      return try unsafe body(base)
    }
  }
}
