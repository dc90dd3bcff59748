internal import CLinux
internal import Glibc

extension FilePath {
  /// Kind, size and times of the file.
  package func status(followingLinks: Bool = true) throws(SystemError) -> FileStatus {
    try unsafe withCString("stat") { (name) throws(SystemError) in
      var status = rawmill_status()
      try check(unsafe rawmill_stat(name, followingLinks ? 1 : 0, &status), "stat", self)
      return FileStatus(status)
    }
  }

  /// Kind, size and times of the file, or nothing where no file is.
  package func statusIfExists(followingLinks: Bool = true) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try status(followingLinks: followingLinks)
    } catch {
      if error.errorNumber == ENOENT || error.errorNumber == ENOTDIR { return nil }
      throw error
    }
  }

  /// The names in a folder but `.` and `..`, in bytewise order.
  package func directoryEntries() throws(SystemError) -> [DirectoryEntry] {
    let folder = try FileDescriptor.openFolder(self)
    let number = folder.release()
    guard let stream = unsafe fdopendir(number) else {
      let error = errno
      _ = close(number)
      throw SystemError(errorNumber: error, call: "fdopendir", path: self)
    }
    // The stream owns the descriptor; it is closed once, here.
    defer { _ = unsafe closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      var type: UInt8 = 0
      var error: Int32 = 0
      let handle = unsafe UnsafeMutableRawPointer(stream)
      guard let text = unsafe rawmill_next_entry(handle, &type, &error) else {
        if error != 0 { throw SystemError(errorNumber: error, call: "readdir", path: self) }
        break
      }
      // The name is valid until the next call: copied at once.
      let name = unsafe FilePath(
        bytes: UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      )
      if name.bytes == [0x2E] || name.bytes == [0x2E, 0x2E] { continue }
      if let kind = try kind(of: name, type: Int(type)) {
        entries.append(DirectoryEntry(name: name, kind: kind))
      }
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Some file systems leave the type to a second look; an entry may be gone by then.
  private func kind(of name: FilePath, type: Int) throws(SystemError) -> FileStatus.Kind? {
    switch type {
    case Int(DT_REG): .file
    case Int(DT_DIR): .folder
    case Int(DT_LNK): .symbolicLink
    case Int(DT_UNKNOWN):
      try appending(component: name.bytes).statusIfExists(followingLinks: false)?.kind
    default: .other
    }
  }

  /// Makes the folder and those above it; one that exists is fine.
  ///
  /// `isDurable` has each new name flushed to the disk: what is made in a folder outlives a power cut
  /// only if the folder does.
  package func createDirectories(
    permissions: UInt32 = 0o777,
    isDurable: Bool = false
  ) throws(SystemError) {
    do throws(SystemError) {
      try createDirectory(permissions: permissions)
      if isDurable { try parent.synchronizeDirectory() }
    } catch {
      switch error.errorNumber {
      case EEXIST:
        guard try status().kind == .folder else {
          throw SystemError(errorNumber: ENOTDIR, call: "mkdir", path: self)
        }
      case ENOENT:
        let above = parent
        guard above != self, !bytes.isEmpty else { throw error }
        try above.createDirectories(permissions: permissions, isDurable: isDurable)
        do throws(SystemError) {
          try createDirectory(permissions: permissions)
          if isDurable { try above.synchronizeDirectory() }
        } catch  where error.errorNumber == EEXIST {
          // Another process made it in between.
        }
      default: throw error
      }
    }
  }

  /// Makes one folder.
  package func createDirectory(permissions: UInt32 = 0o777) throws(SystemError) {
    try unsafe withCString("mkdir") { (name) throws(SystemError) in
      _ = try checkErrno("mkdir", self) { Int(unsafe mkdir(name, permissions)) }
    }
  }

  /// Removes a file or a link.
  package func removeFile() throws(SystemError) {
    try unsafe withCString("unlink") { (name) throws(SystemError) in
      _ = try checkErrno("unlink", self) { Int(unsafe unlink(name)) }
    }
  }

  /// Removes a file or a link; one that is not there is fine.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func removeFileIfExists() throws(SystemError) -> Bool {
    do throws(SystemError) {
      try removeFile()
      return true
    } catch {
      if error.errorNumber == ENOENT { return false }
      throw error
    }
  }

  /// Removes an empty folder.
  package func removeDirectory() throws(SystemError) {
    try unsafe withCString("rmdir") { (name) throws(SystemError) in
      _ = try checkErrno("rmdir", self) { Int(unsafe rmdir(name)) }
    }
  }

  /// Removes a folder with all that is in it, without following links.
  package func removeTree() throws(SystemError) {
    for entry in try directoryEntries() {
      let path = appending(component: entry.name.bytes)
      if entry.kind == .folder {
        try path.removeTree()
      } else {
        try path.removeFileIfExists()
      }
    }
    try removeDirectory()
  }

  /// Flushes the folder's entries to the disk, after files in it were renamed.
  package func synchronizeDirectory() throws(SystemError) {
    let folder = try FileDescriptor.openFolder(self)
    try folder.synchronize()
  }

  /// Gives the file a new name, replacing what had it.
  package func rename(replacing target: FilePath) throws(SystemError) {
    try unsafe withCString("rename") { (from) throws(SystemError) in
      try unsafe target.withCString("rename") { (to) throws(SystemError) in
        _ = try check(unsafe rawmill_rename(from, to), "rename", target)
      }
    }
  }

  /// The absolute path without links; every name must exist.
  package func resolved() throws(SystemError) -> FilePath {
    try unsafe withCString("realpath") { (name) throws(SystemError) in
      guard let text = unsafe realpath(name, nil) else {
        throw SystemError(errorNumber: errno, call: "realpath", path: self)
      }
      // realpath allocated it for us.
      defer { unsafe free(text) }
      return unsafe FilePath(
        bytes: UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      )
    }
  }

  /// The working directory of the process.
  package static func currentDirectory() throws(SystemError) -> FilePath {
    try FilePath(".").resolved()
  }

  /// The path from `/`, lexically normalised; a relative one begins at the working directory.
  package func absolute() throws(SystemError) -> FilePath {
    if isAbsolute { return lexicallyNormalized }
    return try FilePath.currentDirectory().appending(self).lexicallyNormalized
  }

  /// Makes a symbolic link here that holds `target`.
  package func createSymbolicLink(to target: FilePath) throws(SystemError) {
    try unsafe withCString("symlink") { (name) throws(SystemError) in
      try unsafe target.withCString("symlink") { (content) throws(SystemError) in
        _ = try checkErrno("symlink", self) { Int(unsafe symlink(content, name)) }
      }
    }
  }

  /// The whole file.
  ///
  /// - Throws: `EFBIG` for a file over `limit` bytes.
  package func readAll(limit: Int = 1 << 30) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.open(self, .read)
    return try file.readAll(limit: limit)
  }
}
