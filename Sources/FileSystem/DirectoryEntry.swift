/// A name in a folder and what it is.
package struct DirectoryEntry: Equatable, Sendable {
  /// One name, without a slash.
  package let name: FilePath
  /// The entry itself: a symbolic link is not followed.
  package let kind: FileStatus.Kind

  package init(name: FilePath, kind: FileStatus.Kind) {
    self.name = name
    self.kind = kind
  }
}
