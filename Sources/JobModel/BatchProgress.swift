/// What the jobs of a batch came to so far.
package struct BatchProgress: Equatable, Sendable {
  package var done: Int
  package var failed: Int
  package var cancelled: Int
  package var skipped: Int
  /// Photosites of done jobs.
  package var pixels: Int64
  /// Bytes of the inputs of done jobs.
  package var inputBytes: Int64
  /// Bytes of the outputs of done jobs.
  package var outputBytes: Int64

  package init(
    done: Int = 0,
    failed: Int = 0,
    cancelled: Int = 0,
    skipped: Int = 0,
    pixels: Int64 = 0,
    inputBytes: Int64 = 0,
    outputBytes: Int64 = 0
  ) {
    self.done = done
    self.failed = failed
    self.cancelled = cancelled
    self.skipped = skipped
    self.pixels = pixels
    self.inputBytes = inputBytes
    self.outputBytes = outputBytes
  }

  /// Jobs that have ended.
  package var ended: Int { done + failed + cancelled + skipped }
}
