package import Digest
package import FileSystem
internal import Glibc

/// Puts a kept original back in its place.
package struct Restoration: Sendable {
  /// What became of a file.
  package enum Outcome: String, Sendable {
    case restored
    /// The original stands in its place already.
    case wasThere
  }

  private let original: FilePath
  private let kept: FilePath
  private let originalSHA256: SHA256Digest
  private let replacementSHA256: SHA256Digest
  /// Names the job within a temporary's name.
  private let job: String

  /// Of an original that had the name `original` and has the name `kept`.
  package init(
    original: FilePath,
    kept: FilePath,
    originalSHA256: SHA256Digest,
    replacementSHA256: SHA256Digest,
    job: String
  ) {
    self.original = original
    self.kept = kept
    self.originalSHA256 = originalSHA256
    self.replacementSHA256 = replacementSHA256
    self.job = job
  }

  /// Restores; what ended in the middle may be repeated.
  ///
  /// - Throws: `inputChanged` if a file that is neither the original nor its replacement stands there,
  ///   `originalNotKept` if the kept file is missing or another; nothing has changed then.
  package func restore() throws(WorkerError) -> Outcome {
    switch try digest(original) {
    case originalSHA256:
      // A restoration that ended before the second name was gone, or a replacement before its rename.
      if try digest(kept) == originalSHA256 {
        try wrapping { () throws(SystemError) in
          try kept.removeFileIfExists()
          try kept.parent.synchronizeDirectory()
        }
      }
      return .wasThere
    case nil, replacementSHA256: break
    default:
      throw .inputChanged(
        original,
        detail: "it is neither the original nor the file that replaced it"
      )
    }
    guard let digest = try digest(kept) else {
      throw .originalNotKept(kept, detail: "it is missing")
    }
    guard digest == originalSHA256 else {
      throw .originalNotKept(kept, detail: "its content is another than the original's")
    }
    do throws(SystemError) {
      try kept.rename(replacing: original)
    } catch {
      guard error.errorNumber == EXDEV else { throw .system(error) }
      try copyBack()
    }
    try wrapping { () throws(SystemError) in
      try original.parent.synchronizeDirectory()
      try kept.removeFileIfExists()
      try kept.parent.synchronizeDirectory()
    }
    return .restored
  }

  private func copyBack() throws(WorkerError) {
    let path = TemporaryName.path(for: original, job: job, attempt: 0)
    var isNamed = false
    defer { if !isNamed { _ = try? path.removeFileIfExists() } }
    let copy = try wrapping { () throws(SystemError) in
      try path.removeFileIfExists()
      let source = try FileDescriptor.open(kept, .read, followingLinks: false)
      let copy = OpenFile(
        try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
      )
      try copy.descriptor.copyContent(from: source)
      try copy.descriptor.copyAttributes(from: source)
      try copy.descriptor.synchronize()
      return copy
    }
    guard try OutputSet.digest(of: copy.descriptor) == originalSHA256 else {
      throw .outputUnverified(path, detail: "the copy of the original is another")
    }
    try wrapping { () throws(SystemError) in
      try path.rename(replacing: original)
      isNamed = true
      // The new name must be on the disk before the only other one goes.
      try original.parent.synchronizeDirectory()
    }
  }

  /// The digest of a file; nil where there is none.
  private func digest(_ path: FilePath) throws(WorkerError) -> SHA256Digest? {
    do throws(WorkerError) {
      return try FileDigest.sha256(of: path, followingLinks: false)
    } catch {
      if case .system(let cause) = error, cause.errorNumber == ENOENT { return nil }
      throw error
    }
  }
}
