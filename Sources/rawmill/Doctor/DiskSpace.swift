internal import FileSystem
internal import Glibc

/// What is left on a file system.
struct DiskSpace: Equatable, Sendable {
  var freeBytes: Double
  var totalBytes: Double
  var freeFiles: Double
  var totalFiles: Double
  /// Which file system it is.
  var device: UInt

  /// Of a folder, or of the deepest one above it that is there; nil where none can be asked.
  static func of(_ path: FilePath) -> DiskSpace? {
    var folder = path
    while true {
      var status = statvfs()
      let name = folder.bytes.map { CChar(bitPattern: $0) } + [0]
      if unsafe statvfs(name, &status) == 0 {
        let block = Double(status.f_frsize)
        return DiskSpace(
          // What a user who is not root gets.
          freeBytes: Double(status.f_bavail) * block,
          totalBytes: Double(status.f_blocks) * block,
          freeFiles: Double(status.f_favail),
          totalFiles: Double(status.f_files),
          device: UInt(status.f_fsid)
        )
      }
      let parent = folder.parent
      if parent == folder { return nil }
      folder = parent
    }
  }
}
