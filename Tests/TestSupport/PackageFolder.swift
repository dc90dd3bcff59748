package import FileSystem

/// The source checkout that the tests were built from.
package enum PackageFolder {
  package static let root: FilePath = FilePath(#filePath).parent.parent.parent

  /// A file of the checkout (`Tests/Oracles/menon.py`).
  package static func path(_ relative: String) -> FilePath { root.appending(FilePath(relative)) }
}
