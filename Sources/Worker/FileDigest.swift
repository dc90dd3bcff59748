package import Digest
package import FileSystem

/// The digest of a file, read once.
package enum FileDigest {
  /// The SHA-256 of a regular file.
  package static func sha256(
    of path: FilePath,
    followingLinks: Bool = true
  ) throws(WorkerError) -> SHA256Digest {
    let file: OpenFile
    do throws(SystemError) {
      file = OpenFile(try FileDescriptor.open(path, .read, followingLinks: followingLinks))
    } catch {
      throw .system(error)
    }
    guard try file.descriptor.statusForWorker().kind == .file else { throw .inputNotAFile(path) }
    return try OutputSet.digest(of: file.descriptor)
  }
}
