package import FileSystem

/// One output of a job and the name that it gets on this host.
package struct OutputTarget: Hashable, Sendable {
  /// The identifier of the output in its recipe.
  package let id: String
  /// Absolute.
  package let path: FilePath

  package init(id: String, path: FilePath) {
    self.id = id
    self.path = path
  }
}
