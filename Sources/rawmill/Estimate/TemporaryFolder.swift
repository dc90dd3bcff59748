internal import FileSystem

/// A folder of this process's own under `TMPDIR`, removed with the value.
struct TemporaryFolder: ~Copyable {
  let path: FilePath

  init() throws(ProgramError) {
    let base = FilePath(SystemInformation.environment("TMPDIR") ?? "/tmp")
    let number = SystemInformation.wallClockNanoseconds
    path = base.appending(FilePath("rawmill-\(SystemInformation.processID)-\(number)"))
    let path = path
    try wrappingFiles { () throws(SystemError) in try path.createDirectory(permissions: 0o700) }
  }

  deinit {
    // What can't be removed is in a folder for such things.
    try? path.removeTree()
  }
}
