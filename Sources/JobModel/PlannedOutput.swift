/// One output file that a job will publish.
package struct PlannedOutput: Hashable, Sendable {
  /// The identifier of the output in its recipe (`heic`, `heic2`).
  package let id: String
  package let location: FileLocation

  package init(id: String, location: FileLocation) {
    self.id = id
    self.location = location
  }
}
