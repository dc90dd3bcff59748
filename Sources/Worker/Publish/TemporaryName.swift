internal import Digest
package import FileSystem

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
