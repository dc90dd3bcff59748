/// A submitted job whose output another live job writes.
package struct RefusedJob: Equatable, Sendable {
  package var key: DedupeKey
  package var input: FileLocation
  package var output: FileLocation
  /// The job that has the output; nil if it is one of the same submission.
  package var holder: JobID?

  package init(key: DedupeKey, input: FileLocation, output: FileLocation, holder: JobID?) {
    self.key = key
    self.input = input
    self.output = output
    self.holder = holder
  }
}
