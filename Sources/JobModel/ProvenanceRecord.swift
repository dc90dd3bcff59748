package import Digest
package import JSON

/// How the outputs of a job came about: everything needed to make the same bytes again.
package struct ProvenanceRecord: Sendable {
  /// The input as it was read.
  package var input: InputFile
  /// Of the very bytes that were decoded.
  package var inputSHA256: SHA256Digest
  package var recipeDigest: SHA256Digest
  /// Digest of the recipe with every setting resolved against the input.
  package var resolvedDigest: SHA256Digest
  /// Every setting as it was used.
  package var resolvedSettings: JSONValue
  package var pixelVersion: Int
  package var engineVersion: String
  /// The commit that the program was built from.
  package var sourceRevision: String
  /// Name to version of each library that took part.
  package var libraryVersions: [String: String]
  /// The host that rendered.
  package var host: String
  /// Wall nanoseconds of each stage, in order.
  package var stageNanoseconds: [(stage: String, nanoseconds: Int64)]
  /// Peak resident memory of the process that rendered, in bytes.
  package var peakMemoryBytes: Int64

  package init(
    input: InputFile,
    inputSHA256: SHA256Digest,
    recipeDigest: SHA256Digest,
    resolvedDigest: SHA256Digest,
    resolvedSettings: JSONValue,
    pixelVersion: Int,
    engineVersion: String,
    sourceRevision: String,
    libraryVersions: [String: String],
    host: String,
    stageNanoseconds: [(stage: String, nanoseconds: Int64)],
    peakMemoryBytes: Int64
  ) {
    self.input = input
    self.inputSHA256 = inputSHA256
    self.recipeDigest = recipeDigest
    self.resolvedDigest = resolvedDigest
    self.resolvedSettings = resolvedSettings
    self.pixelVersion = pixelVersion
    self.engineVersion = engineVersion
    self.sourceRevision = sourceRevision
    self.libraryVersions = libraryVersions
    self.host = host
    self.stageNanoseconds = stageNanoseconds
    self.peakMemoryBytes = peakMemoryBytes
  }
}
