package import FileSystem

/// A file that a walk came upon.
package struct FoundFile: Equatable, Sendable {
  /// Absolute.
  package let path: FilePath
  /// Below the folder that was named, with the file's own name; what outputs are named after.
  package var relativePath: FilePath
  package let status: FileStatus
  /// Whether the file itself was named, not a folder above it.
  package let isNamed: Bool
  /// The number of the list's entry that it comes from.
  package let entry: Int?

  package init(
    path: FilePath,
    relativePath: FilePath,
    status: FileStatus,
    isNamed: Bool,
    entry: Int? = nil
  ) {
    self.path = path
    self.relativePath = relativePath
    self.status = status
    self.isNamed = isNamed
    self.entry = entry
  }
}
