internal import CLinux
internal import Glibc

extension FileDescriptor {
  /// Kind, size and times of the open file.
  package borrowing func status() throws(SystemError) -> FileStatus {
    var status = rawmill_status()
    try check(unsafe rawmill_fstat(rawValue, &status), "fstat", path)
    return FileStatus(status)
  }

  /// Reads up to `buffer.count` bytes from `offset`; fewer only at the end of the file.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) -> Int {
    var filled = 0
    let number = rawValue
    while filled < buffer.count {
      let wanted = min(buffer.count - filled, 1 << 30)
      let position = offset + Int64(filled)
      let count = try checkErrno("pread", path) {
        unsafe pread(number, buffer.baseAddress.map { unsafe $0 + filled }, wanted, Int(position))
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Reads `count` bytes from `offset`; fewer only at the end of the file.
  package borrowing func read(count: Int, at offset: Int64 = 0) throws(SystemError) -> [UInt8] {
    precondition(count >= 0, "a negative count")
    var failure: SystemError?
    let number = rawValue
    let path = path
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var filled = 0
      while filled < count {
        let wanted = min(count - filled, 1 << 30)
        let got = unsafe pread(
          number,
          buffer.baseAddress.map { unsafe $0 + filled },
          wanted,
          Int(offset) + filled
        )
        if got < 0 {
          let error = errno
          if error == EINTR { continue }
          failure = SystemError(errorNumber: error, call: "pread", path: path)
          break
        }
        if got == 0 { break }
        filled += got
      }
      // The kernel wrote the first `filled` bytes.
      initialized = filled
    }
    if let failure { throw failure }
    return bytes
  }

  /// The whole file.
  ///
  /// - Throws: `EFBIG` for a file over `limit` bytes, before anything is allocated.
  package borrowing func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    let size = try status().size
    guard size <= limit else { throw SystemError(errorNumber: EFBIG, call: "read", path: path) }
    return try read(count: Int(size))
  }

  /// Writes all of `bytes` at `offset`.
  package borrowing func write(
    _ bytes: UnsafeRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) {
    var written = 0
    let number = rawValue
    while written < bytes.count {
      let left = min(bytes.count - written, 1 << 30)
      let position = offset + Int64(written)
      let count = try checkErrno("pwrite", path) {
        unsafe pwrite(number, bytes.baseAddress.map { unsafe $0 + written }, left, Int(position))
      }
      // No progress without an error would loop for ever.
      if count == 0 { throw SystemError(errorNumber: EIO, call: "pwrite", path: path) }
      written += count
    }
  }

  /// Writes all of `bytes` at `offset`.
  package borrowing func write(_ bytes: [UInt8], at offset: Int64 = 0) throws(SystemError) {
    try unsafe bytes.span.withUnsafeBytes { (buffer) throws(SystemError) in
      try unsafe write(buffer, at: offset)
    }
  }

  /// Cuts or extends the file.
  package borrowing func truncate(to size: Int64) throws(SystemError) {
    let number = rawValue
    try checkErrno("ftruncate", path) { Int(ftruncate(number, Int(size))) }
  }

  /// Returns when content and metadata are on the disk (`fsync`), or the folder's entries.
  package borrowing func synchronize() throws(SystemError) {
    let number = rawValue
    try checkErrno("fsync", path) { Int(fsync(number)) }
  }

  /// Sets the permission bits.
  package borrowing func setPermissions(_ permissions: UInt32) throws(SystemError) {
    let number = rawValue
    try checkErrno("fchmod", path) { Int(fchmod(number, permissions)) }
  }

  /// Locks the open file against other openers (`flock`); released when it is closed.
  package borrowing func lock(exclusively: Bool = true) throws(SystemError) {
    try check(rawmill_flock(rawValue, exclusively ? LOCK_EX : LOCK_SH), "flock", path)
  }

  /// Locks the open file if nobody else holds it.
  ///
  /// - Returns: Whether the lock was taken.
  package borrowing func tryLock(exclusively: Bool = true) throws(SystemError) -> Bool {
    let result = rawmill_flock(rawValue, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB)
    if result == -EWOULDBLOCK { return false }
    try check(result, "flock", path)
    return true
  }

  /// Releases a lock.
  package borrowing func unlock() throws(SystemError) {
    try check(rawmill_flock(rawValue, LOCK_UN), "flock", path)
  }
}
