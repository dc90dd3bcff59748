/// What became of failed jobs that somebody wants done again.
package struct RetryResult: Equatable, Sendable {
  /// Jobs that wait again.
  package var again: Int
  /// Jobs that stay failed, because another live job writes one of their outputs.
  package var held: Int

  package init(again: Int = 0, held: Int = 0) {
    self.again = again
    self.held = held
  }
}
