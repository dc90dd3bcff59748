/// An input as it was when its job was submitted.
package struct InputFile: Hashable, Sendable {
  package let location: FileLocation
  /// Bytes.
  package let size: Int64
  /// Modification time in nanoseconds since 1970-01-01 UTC.
  package let modificationNanoseconds: Int64

  package init(location: FileLocation, size: Int64, modificationNanoseconds: Int64) {
    self.location = location
    self.size = size
    self.modificationNanoseconds = modificationNanoseconds
  }
}
