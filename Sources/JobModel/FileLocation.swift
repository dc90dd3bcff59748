package import FileSystem

/// Where a file is, for every host: the name of a root and the path below it.
///
/// Each host maps root names to folders of its own; the root `/` is the host's file system itself.
package struct FileLocation: Hashable, Sendable {
  /// The name of the root (`shoot`), or `/` for an absolute path on one host.
  package let root: String
  /// The path below the root, without a leading slash.
  package let path: FilePath

  package init(root: String, path: FilePath) {
    self.root = root
    self.path = path
  }

  /// The root that stands for a host's whole file system.
  package static let hostRoot = "/"
}

extension FileLocation: CustomStringConvertible {
  /// `shoot:day1/a.dng`, or `/home/me/a.dng` under the host root; escaped for display.
  package var description: String {
    root == Self.hostRoot ? "/\(path.displayText)" : "\(root):\(path.displayText)"
  }
}
