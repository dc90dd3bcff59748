/// What an attempt said it would publish, before it did.
///
/// A file that stands in the way is adopted if an intent of the same job names its digest, and may be
/// replaced if an earlier attempt of the same job named it.
package struct OutputIntent: Equatable, Sendable {
  package var attempt: Int
  package var output: OutputRecord
  /// Whether a completed attempt recorded it as published.
  package var isPublished: Bool

  package init(attempt: Int, output: OutputRecord, isPublished: Bool) {
    self.attempt = attempt
    self.output = output
    self.isPublished = isPublished
  }
}
