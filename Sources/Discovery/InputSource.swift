package import FileSystem

/// How inputs were named.
package enum InputSource: Equatable, Sendable {
  /// A file, or a folder that is searched.
  case path(FilePath)
  /// Files, and folders that are searched, that match.
  case pattern(GlobPattern)
  /// The entry of a list with this number: a file, which is an input whatever it is, or a folder.
  case listed(FilePath, entry: Int)
}
