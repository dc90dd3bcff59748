internal import Digest
package import FileSystem
internal import Glibc

/// The name of an output while it is written: `.<name>.<job>.<attempt>.tmp` in the target's folder.
///
/// It is hidden, says whose it is, and lies on the file system of its target, so that one rename
/// publishes it.
package enum TemporaryName {
  /// The longest name of a file (`NAME_MAX`).
  private static let nameLimit = 255

  /// The temporary of `target`; a name that would be too long is cut and told apart by its digest.
  package static func path(for target: FilePath, job: String, attempt: Int) -> FilePath {
    let name = target.lastComponent?.bytes ?? []
    let ending = Array(".\(job).\(attempt).tmp".utf8)
    var middle = name
    if 1 + name.count + ending.count > nameLimit {
      let mark = Array("~\(SHA256.digest(of: name).hex.prefix(16))".utf8)
      middle = name.prefix(max(0, nameLimit - 1 - ending.count - mark.count)) + mark
    }
    return target.parent.appending(component: [UInt8(ascii: ".")] + middle + ending)
  }

  /// Whether a name has the shape of such a temporary.
  package static func matches(_ name: FilePath) -> Bool {
    let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 5, let first = parts.first, first.isEmpty,
      parts[parts.count - 1].elementsEqual("tmp".utf8)
    else { return false }
    let attempt = parts[parts.count - 2]
    return !attempt.isEmpty
      && attempt.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// What begins the job's name where there is no queue; the process's number follows.
  static let oneShotJob = "develop-"

  /// Locks the temporaries of a render without a queue, and removes those of the same outputs whose
  /// render is gone: no queue knows of them.
  ///
  /// The lock (`flock`) ends with the last process that has the file open, however it ends, and other
  /// hosts of a share see it; a process's number says nothing there.
  static func holdAndSweep(_ set: OutputSet) throws(WorkerError) {
    do throws(SystemError) {
      for item in set.items {
        // Nobody else can have it: whoever sweeps leaves it alone from here on.
        _ = try item.file.descriptor.tryLock()
        for leftover in try leftovers(of: item.target.path) where leftover != item.temporary {
          try removeIfAbandoned(leftover)
        }
      }
    } catch {
      throw .system(error)
    }
  }

  /// Temporaries of renders without a queue for `target`.
  private static func leftovers(of target: FilePath) throws(SystemError) -> [FilePath] {
    let name = target.lastComponent?.bytes ?? []
    let start = [UInt8(ascii: ".")] + name + Array(".\(oneShotJob)".utf8)
    return try target.parent.directoryEntries()
      .filter { $0.kind == .file && $0.name.bytes.starts(with: start) && matches($0.name) }
      .map { target.parent.appending(component: $0.name.bytes) }
  }

  private static func removeIfAbandoned(_ path: FilePath) throws(SystemError) {
    let file: FileDescriptor
    do throws(SystemError) {
      // For writing: NFS locks nothing that is open for reading alone.
      file = try FileDescriptor.open(path, .write, followingLinks: false)
    } catch {
      // Another call swept it, or it is another user's.
      if error.errorNumber == ENOENT || error.errorNumber == EACCES { return }
      throw error
    }
    if try file.tryLock() { try path.removeFileIfExists() }
  }

  /// Removes what earlier attempts of a job left: their process may have been killed.
  package static func sweep(
    targets: [OutputTarget],
    job: String,
    attempts: Range<Int>
  ) throws(SystemError) {
    for target in targets {
      for attempt in attempts {
        try path(for: target.path, job: job, attempt: attempt).removeFileIfExists()
      }
    }
  }
}
