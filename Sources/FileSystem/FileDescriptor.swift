internal import CLinux
internal import Glibc

/// An open file that is closed when the value ends.
///
/// Every descriptor is closed on exec. Reads and writes name their offset (`pread`, `pwrite`), so
/// there is no shared position, and go on after a signal or a short count.
package struct FileDescriptor: ~Copyable, Sendable {
  private let number: OwnedDescriptorNumber
  /// The path it was opened by, for messages.
  package let path: FilePath?

  /// The number, valid while the value lives.
  package var rawValue: Int32 { number.value }

  /// Takes over a descriptor that nobody else closes.
  package init(owning rawValue: Int32, path: FilePath? = nil) {
    self.number = OwnedDescriptorNumber(value: rawValue)
    self.path = path
  }

  /// How a file is opened.
  package enum Access: Sendable {
    case read
    /// An existing file, whose content stays.
    case write
    /// An existing or a new file, whose content stays.
    case readWriteCreating(permissions: UInt32)
    /// A file that must not exist yet (`O_EXCL`).
    case readWriteExclusively(permissions: UInt32)
  }

  /// Opens a file; it waits for nothing, a pipe included.
  package static func open(
    _ path: FilePath,
    _ access: Access,
    followingLinks: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    var flags = O_NONBLOCK | O_NOCTTY | (followingLinks ? 0 : O_NOFOLLOW)
    var permissions: UInt32 = 0
    switch access {
    case .read: flags |= O_RDONLY
    case .write: flags |= O_WRONLY
    case .readWriteCreating(let mode):
      flags |= O_RDWR | O_CREAT
      permissions = mode
    case .readWriteExclusively(let mode):
      flags |= O_RDWR | O_CREAT | O_EXCL
      permissions = mode
    }
    let number = try unsafe path.withCString("open") { (name) throws(SystemError) in
      try check(unsafe rawmill_open(name, flags, permissions), "open", path)
    }
    return FileDescriptor(owning: Int32(number), path: path)
  }

  /// Opens a folder, to flush it.
  package static func openFolder(_ path: FilePath) throws(SystemError) -> FileDescriptor {
    let number = try unsafe path.withCString("open") { (name) throws(SystemError) in
      try check(unsafe rawmill_open(name, O_RDONLY | O_DIRECTORY, 0), "open", path)
    }
    return FileDescriptor(owning: Int32(number), path: path)
  }

  /// Closes now and reports what `close` says: a network file system may fail only here.
  package consuming func close() throws(SystemError) {
    let path = path
    let error = number.close()
    // The descriptor is gone even when a signal interrupted the call (Linux).
    if error != 0, error != EINTR {
      throw SystemError(errorNumber: error, call: "close", path: path)
    }
  }

  /// Gives the number away; the taker closes it.
  package consuming func release() -> Int32 { number.release() }

  /// Another descriptor of the same open file.
  package borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let number = rawValue
    let copy = try checkErrno("fcntl", path) { Int(fcntl(number, F_DUPFD_CLOEXEC, 3)) }
    return FileDescriptor(owning: Int32(copy), path: path)
  }
}
