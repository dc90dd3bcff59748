package import Digest

/// A job of a batch, as a report has it.
package struct ReportedJob: Equatable, Sendable {
  /// How a done job came about.
  package struct Making: Equatable, Sendable {
    package var host: String
    /// From its claim to its end.
    package var seconds: Double
    /// Photosites.
    package var pixels: Int64
    package var peakMemoryBytes: Int64
    package var engineVersion: String
    package var sourceRevision: String
    package var pixelVersion: Int

    package init(
      host: String,
      seconds: Double,
      pixels: Int64,
      peakMemoryBytes: Int64,
      engineVersion: String,
      sourceRevision: String,
      pixelVersion: Int
    ) {
      self.host = host
      self.seconds = seconds
      self.pixels = pixels
      self.peakMemoryBytes = peakMemoryBytes
      self.engineVersion = engineVersion
      self.sourceRevision = sourceRevision
      self.pixelVersion = pixelVersion
    }
  }

  package var id: JobID
  package var input: InputFile
  /// Nil while it waits or runs.
  package var outcome: Outcome?
  package var attempt: Int
  package var recipe: SHA256Digest
  /// Nil unless it is done.
  package var making: Making?
  /// Of its published outputs.
  package var outputBytes: Int64
  /// Why it failed.
  package var failure: JobFailure?

  package init(
    id: JobID,
    input: InputFile,
    outcome: Outcome?,
    attempt: Int,
    recipe: SHA256Digest,
    making: Making? = nil,
    outputBytes: Int64 = 0,
    failure: JobFailure? = nil
  ) {
    self.id = id
    self.input = input
    self.outcome = outcome
    self.attempt = attempt
    self.recipe = recipe
    self.making = making
    self.outputBytes = outputBytes
    self.failure = failure
  }
}
