internal import FileSystem
internal import Glibc

/// Who runs the server: the caller, or, because PostgreSQL refuses to run as root, an unprivileged
/// user.
struct ServerUser: Equatable, Sendable {
  let name: String
  let user: UInt32
  let group: UInt32
  /// Whether it is another one than the caller, whom only root can become.
  let isOther: Bool

  /// The caller; for root, the user `postgres` of the Debian package, else `nobody`.
  static func current() throws(EmbeddedPostgresError) -> ServerUser {
    guard geteuid() == 0 else {
      return ServerUser(name: "this user", user: geteuid(), group: getegid(), isOther: false)
    }
    for name in ["postgres", "nobody"] {
      if let user = named(name) { return user }
    }
    throw .serverUserMissing
  }

  private static func named(_ name: String) -> ServerUser? {
    // The answer lies in static memory of the C library until the next call; it is copied at once.
    guard let entry = unsafe getpwnam(name) else { return nil }
    let user = unsafe entry.pointee.pw_uid
    let group = unsafe entry.pointee.pw_gid
    return user == 0 ? nil : ServerUser(name: name, user: user, group: group, isOther: true)
  }

  /// Makes a folder the server's own and closes it to others.
  func own(_ folder: FilePath) throws(EmbeddedPostgresError) {
    try wrappingSystem { () throws(SystemError) in
      let descriptor = try FileDescriptor.openFolder(folder)
      try descriptor.setPermissions(0o700)
      guard isOther else { return }
      guard fchown(descriptor.rawValue, user, group) == 0 else {
        throw SystemError(errorNumber: errno, call: "fchown", path: folder)
      }
    }
  }

  /// Checks that the server's user can enter every folder above `folder`.
  func requireWay(to folder: FilePath) throws(EmbeddedPostgresError) {
    guard isOther else { return }
    var above = folder.parent
    while true {
      let status = try wrappingSystem { () throws(SystemError) in try above.status() }
      let isOpen = status.permissions & 0o001 != 0
      let isOwn = status.owner == user && status.permissions & 0o100 != 0
      guard isOpen || isOwn else { throw .folderClosed(folder: above, user: name) }
      if above == above.parent { return }
      above = above.parent
    }
  }
}
