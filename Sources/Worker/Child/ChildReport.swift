package import Digest
package import JSON

/// What a child says of a finished render: the facts of a provenance row.
package struct ChildReport: Sendable {
  /// One output as the child wrote it.
  package struct Output: Equatable, Sendable {
    /// The identifier of the output in its recipe.
    package var id: String
    /// Bytes written.
    package var byteCount: Int64
    /// Pixels.
    package var width: Int
    package var height: Int
    /// `heic`, `tiff`.
    package var format: String
    /// `displayP3`.
    package var colorSpace: String
    /// Bits per sample.
    package var bitDepth: Int

    package init(
      id: String,
      byteCount: Int64,
      width: Int,
      height: Int,
      format: String,
      colorSpace: String,
      bitDepth: Int
    ) {
      self.id = id
      self.byteCount = byteCount
      self.width = width
      self.height = height
      self.format = format
      self.colorSpace = colorSpace
      self.bitDepth = bitDepth
    }
  }

  /// The time that a stage took.
  package struct Stage: Equatable, Sendable {
    package var name: String
    package var nanoseconds: Int64

    package init(name: String, nanoseconds: Int64) {
      self.name = name
      self.nanoseconds = nanoseconds
    }
  }

  /// Of the very bytes that were decoded.
  package var inputSHA256: SHA256Digest
  package var inputByteCount: Int64
  package var recipeDigest: SHA256Digest
  /// Of the recipe with every setting resolved against the input.
  package var resolvedDigest: SHA256Digest
  package var resolvedSettings: JSONValue
  package var pixelVersion: Int
  package var engineVersion: String
  package var sourceRevision: String
  /// Name to version of each library that took part.
  package var libraryVersions: [String: String]
  package var stages: [Stage]
  /// Photosites of the default crop.
  package var pixels: Int64
  /// In the order of the recipe.
  package var outputs: [Output]

  package init(
    inputSHA256: SHA256Digest,
    inputByteCount: Int64,
    recipeDigest: SHA256Digest,
    resolvedDigest: SHA256Digest,
    resolvedSettings: JSONValue,
    pixelVersion: Int,
    engineVersion: String,
    sourceRevision: String,
    libraryVersions: [String: String],
    stages: [Stage],
    pixels: Int64,
    outputs: [Output]
  ) {
    self.inputSHA256 = inputSHA256
    self.inputByteCount = inputByteCount
    self.recipeDigest = recipeDigest
    self.resolvedDigest = resolvedDigest
    self.resolvedSettings = resolvedSettings
    self.pixelVersion = pixelVersion
    self.engineVersion = engineVersion
    self.sourceRevision = sourceRevision
    self.libraryVersions = libraryVersions
    self.stages = stages
    self.pixels = pixels
    self.outputs = outputs
  }
}
