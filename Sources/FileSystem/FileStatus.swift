internal import CLinux
internal import Glibc

/// What the file system knows of a file.
package struct FileStatus: Equatable, Sendable {
  /// The sorts of file that a batch meets.
  package enum Kind: Equatable, Sendable {
    case file
    case folder
    case symbolicLink
    /// Devices, sockets, pipes.
    case other
  }

  package let kind: Kind
  package let device: UInt64
  package let inode: UInt64
  /// Bytes.
  package let size: Int64
  /// Time of the last change of content, in nanoseconds since 1970; saturates in the year 2262.
  package let mtimeNanoseconds: Int64
  package let linkCount: UInt64
  /// Permission bits (0o644).
  package let permissions: UInt32
  /// User id.
  package let owner: UInt32
  /// Group id.
  package let group: UInt32

  init(_ status: rawmill_status) {
    kind =
      switch status.mode & UInt32(S_IFMT) {
      case UInt32(S_IFREG): .file
      case UInt32(S_IFDIR): .folder
      case UInt32(S_IFLNK): .symbolicLink
      default: .other
      }
    device = status.device
    inode = status.inode
    size = status.size
    let (seconds, tooLate) = status.mtime_seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = seconds.addingReportingOverflow(status.mtime_nanoseconds)
    mtimeNanoseconds =
      tooLate || overflow ? (status.mtime_seconds < 0 ? Int64.min : Int64.max) : sum
    linkCount = status.link_count
    permissions = status.mode & 0o7777
    owner = status.owner
    group = status.group
  }

  /// Whether both are the same file, whatever path led there.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
