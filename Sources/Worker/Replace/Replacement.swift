package import Digest
package import FileSystem
internal import Glibc

/// Puts a verified new file in the place of its original.
///
/// The order is what makes a crash at any point harmless: the original gets its second name, that name
/// is flushed, and only then one rename gives the new file the first one. Before the rename the whole
/// original stands under its name, after it the whole new file. To be called while the lease is locked.
package struct Replacement: Sendable {
  /// What the original must still be.
  package struct Expected: Equatable, Sendable {
    package var size: Int64
    package var mtimeNanoseconds: Int64
    package var inode: UInt64
    package var sha256: SHA256Digest

    package init(size: Int64, mtimeNanoseconds: Int64, inode: UInt64, sha256: SHA256Digest) {
      self.size = size
      self.mtimeNanoseconds = mtimeNanoseconds
      self.inode = inode
      self.sha256 = sha256
    }
  }

  /// The name that the new file takes.
  private let original: FilePath
  /// The new file, verified and flushed, in the same folder.
  private let temporary: FilePath
  /// The second name of the original; nil: it is not kept.
  private let kept: FilePath?
  private let expected: Expected
  /// Names the job within a temporary's name.
  private let job: String
  private let attempt: Int

  package init(
    original: FilePath,
    temporary: FilePath,
    kept: FilePath?,
    expected: Expected,
    job: String,
    attempt: Int
  ) {
    self.original = original
    self.temporary = temporary
    self.kept = kept
    self.expected = expected
    self.job = job
    self.attempt = attempt
  }

  /// Checks, keeps and replaces.
  ///
  /// - Parameter mayReplace: Asked right before the rename; no is `interrupted`.
  /// - Throws: `inputChanged` if the original is not what was rendered, `outputExists` if something else
  ///   has the name under which it is to be kept; the original stands untouched then.
  package func commit(mayReplace: () -> Bool) throws(WorkerError) {
    let file = try checkOriginal()
    let isNew = try kept.map { (kept) throws(WorkerError) in try keep(file, as: kept) } ?? false
    do throws(WorkerError) {
      guard mayReplace() else { throw .interrupted }
      try wrapping { () throws(SystemError) in try temporary.rename(replacing: original) }
    } catch {
      // A second name that nobody asked for any more; the file itself is where it was.
      if isNew, let kept { _ = try? kept.removeFileIfExists() }
      throw error
    }
    try wrapping { () throws(SystemError) in try original.parent.synchronizeDirectory() }
  }

  private func checkOriginal() throws(WorkerError) -> OpenFile {
    let file = try wrapping { () throws(SystemError) in
      OpenFile(try FileDescriptor.open(original, .read, followingLinks: false))
    }
    let status = try file.descriptor.statusForWorker()
    guard status.kind == .file else { throw .inputNotAFile(original) }
    guard
      status.size == expected.size, status.mtimeNanoseconds == expected.mtimeNanoseconds,
      status.inode == expected.inode
    else {
      throw .inputChanged(original, detail: "it was modified while it was worked on")
    }
    guard try OutputSet.digest(of: file.descriptor) == expected.sha256 else {
      throw .inputChanged(original, detail: "its content is another than the one that was read")
    }
    return file
  }

  /// Gives the original its second name, durably.
  ///
  /// - Returns: Whether the name is new; not if an earlier attempt had made it.
  private func keep(_ file: OpenFile, as kept: FilePath) throws(WorkerError) -> Bool {
    try wrapping { () throws(SystemError) in try kept.parent.createDirectories(isDurable: true) }
    let isNew: Bool
    do throws(SystemError) {
      try original.addName(kept)
      isNew = true
    } catch {
      switch error.errorNumber {
      case EEXIST: isNew = false
      case EXDEV, EPERM, EOPNOTSUPP, EMLINK, ENOSYS: isNew = try copy(file, to: kept)
      default: throw .system(error)
      }
    }
    if !isNew { try requireOriginal(kept) }
    try wrapping { () throws(SystemError) in try kept.parent.synchronizeDirectory() }
    return isNew
  }

  /// Copies the original with all that it has, reads the copy back, and names it.
  private func copy(_ file: OpenFile, to kept: FilePath) throws(WorkerError) -> Bool {
    let path = TemporaryName.path(for: kept, job: job, attempt: attempt)
    var isNamed = false
    defer { if !isNamed { _ = try? path.removeFileIfExists() } }
    let copy = try wrapping { () throws(SystemError) in
      try TemporaryName.sweep(
        targets: [OutputTarget(id: "", path: kept)],
        job: job,
        attempts: 1..<attempt + 1
      )
      let copy = OpenFile(
        try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
      )
      try copy.descriptor.copyContent(from: file.descriptor)
      try copy.descriptor.copyAttributes(from: file.descriptor)
      try copy.descriptor.synchronize()
      return copy
    }
    guard try OutputSet.digest(of: copy.descriptor) == expected.sha256 else {
      throw .outputUnverified(path, detail: "the copy of the original is another")
    }
    do throws(SystemError) {
      try path.renameNoReplace(to: kept)
      isNamed = true
      return true
    } catch {
      guard error.errorNumber == EEXIST else { throw .system(error) }
      return false
    }
  }

  /// What has the name of the kept original must be it.
  private func requireOriginal(_ kept: FilePath) throws(WorkerError) {
    let file = try wrapping { () throws(SystemError) in
      OpenFile(try FileDescriptor.open(kept, .read, followingLinks: false))
    }
    let status = try file.descriptor.statusForWorker()
    guard status.kind == .file, status.size == expected.size,
      try OutputSet.digest(of: file.descriptor) == expected.sha256
    else { throw .outputExists(kept) }
  }
}

/// Runs file operations with their error as this module's.
func wrapping<Value: ~Copyable>(
  _ body: () throws(SystemError) -> Value
) throws(WorkerError) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(error)
  }
}
