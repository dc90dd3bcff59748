internal import CLinux
internal import Glibc

extension FilePath {
  /// Gives the file a name that nothing has, atomically.
  ///
  /// `renameat2(RENAME_NOREPLACE)`; where the file system or the kernel lacks it (NFS says EINVAL),
  /// `link` and `unlink`. NFS may repeat a request whose answer was lost, so that a link that was made
  /// reports EEXIST: what decides is whether the target is this file.
  ///
  /// - Throws: `EEXIST` when something has the name; nothing has changed then.
  package func renameNoReplace(to target: FilePath) throws(SystemError) {
    let before = try status(followingLinks: false)
    do throws(SystemError) {
      try unsafe withCString("renameat2") { (from) throws(SystemError) in
        try unsafe target.withCString("renameat2") { (to) throws(SystemError) in
          _ = try check(unsafe rawmill_rename_noreplace(from, to), "renameat2", target)
        }
      }
    } catch {
      switch error.errorNumber {
      case EINVAL, ENOSYS, EOPNOTSUPP:
        try linkNoReplace(to: target, status: before)
      case EEXIST, ENOENT:
        // The answer of a rename that succeeded was lost: the source is gone, the target is the file.
        guard try statusIfExists(followingLinks: false) == nil,
          let now = try target.statusIfExists(followingLinks: false), now.isSameFile(as: before)
        else { throw error }
      default: throw error
      }
    }
  }

  /// Gives the file a second name (`link`), which nothing has.
  ///
  /// - Throws: `EEXIST` when something has the name; `EXDEV` on another file system; `EPERM`,
  ///   `EOPNOTSUPP` or `EMLINK` where the file system has no second names, or no more.
  package func addName(_ target: FilePath) throws(SystemError) {
    try unsafe withCString("link") { (from) throws(SystemError) in
      try unsafe target.withCString("link") { (to) throws(SystemError) in
        _ = try checkErrno("link", target) { Int(unsafe link(from, to)) }
      }
    }
  }

  /// The way of `renameNoReplace` on file systems that lack the flag.
  package func linkNoReplace(to target: FilePath) throws(SystemError) {
    try linkNoReplace(to: target, status: try status(followingLinks: false))
  }

  private func linkNoReplace(to target: FilePath, status: FileStatus) throws(SystemError) {
    do throws(SystemError) {
      try unsafe withCString("link") { (from) throws(SystemError) in
        try unsafe target.withCString("link") { (to) throws(SystemError) in
          _ = try checkErrno("link", target) { Int(unsafe link(from, to)) }
        }
      }
    } catch {
      guard let now = try target.statusIfExists(followingLinks: false),
        now.isSameFile(as: status), now.linkCount >= 2 || status.linkCount < now.linkCount
      else { throw error }
    }
    try removeFileIfExists()
  }
}
