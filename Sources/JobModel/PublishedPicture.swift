/// An output of a done job that people can look at.
package struct PublishedPicture: Equatable, Sendable {
  package var job: JobID
  package var location: FileLocation
  /// Bytes, as it was published.
  package var size: Int64

  package init(job: JobID, location: FileLocation, size: Int64) {
    self.job = job
    self.location = location
    self.size = size
  }
}
