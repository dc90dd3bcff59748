/// A job that failed, as reports list it.
package struct FailedJob: Equatable, Sendable {
  package var id: JobID
  package var input: FileLocation
  package var attempt: Int
  package var failure: JobFailure

  package init(id: JobID, input: FileLocation, attempt: Int, failure: JobFailure) {
    self.id = id
    self.input = input
    self.attempt = attempt
    self.failure = failure
  }
}
