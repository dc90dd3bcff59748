/// A library and its version, as provenance rows name them.
package struct LibraryVersion: Hashable, Sendable {
  /// The library's own spelling (`libheif`).
  package var name: String
  /// As the library that is loaded says it, not the header that was compiled against.
  package var version: String

  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
