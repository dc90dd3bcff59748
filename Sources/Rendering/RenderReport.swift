package import Digest
package import ImageEncoding
package import JSON
package import Raster

/// What a finished render has to say: the facts of a provenance row.
package struct RenderReport: Equatable, Sendable {
  /// One file as it was written.
  package struct Output: Equatable, Sendable {
    /// The file's id in its recipe.
    package var id: String
    package var byteCount: Int
    /// Nil for a file that is no picture.
    package var size: PixelSize?
    package var format: ImageFormat
    /// Nil for the camera's own, of a raw, and for linear pictures, whose report says it.
    package var colorSpace: EncodedColorSpace?
    /// Bits a channel; nil for a file that is no picture.
    package var bitDepth: Int?
    /// Of a DNG: what became of the samples.
    package var raw: RawOutputReport?
    /// Of a linear picture: what its samples are.
    package var linear: LinearOutputReport?
    /// Of statistics: the rows of the database's tables.
    package var statistics: JSONValue?

    package init(
      id: String,
      byteCount: Int,
      size: PixelSize?,
      format: ImageFormat,
      colorSpace: EncodedColorSpace?,
      bitDepth: Int?,
      raw: RawOutputReport? = nil,
      linear: LinearOutputReport? = nil,
      statistics: JSONValue? = nil
    ) {
      self.id = id
      self.byteCount = byteCount
      self.size = size
      self.format = format
      self.colorSpace = colorSpace
      self.bitDepth = bitDepth
      self.raw = raw
      self.linear = linear
      self.statistics = statistics
    }
  }

  /// The wall time that a stage took.
  package struct Stage: Equatable, Sendable {
    package var name: String
    package var nanoseconds: Int64

    package init(name: String, nanoseconds: Int64) {
      self.name = name
      self.nanoseconds = nanoseconds
    }
  }

  package var inputByteCount: Int
  /// Of the very bytes that were decoded.
  package var inputSHA256: SHA256Digest
  /// Of the developed picture, turned for viewing.
  package var size: PixelSize
  package var camera: CameraInformation
  package var recipeDigest: SHA256Digest
  /// Covers the recipe and every resolved setting.
  package var resolvedDigest: SHA256Digest
  package var settings: [RenderSetting]
  /// Opcodes that the file has and the render left out.
  package var skippedOpcodes: [String]
  /// What of the file breaks the specification and was read by its defaults.
  package var warnings: [String]
  package var pixelVersion: Int
  package var engineVersion: String
  package var sourceRevision: String
  /// The libraries that had a part in the outputs, by name.
  package var libraries: [LibraryVersion]
  /// In the order in which they ran.
  package var stages: [Stage]
  /// In the order of the recipe's files.
  package var outputs: [Output]

  package init(
    inputByteCount: Int,
    inputSHA256: SHA256Digest,
    size: PixelSize,
    camera: CameraInformation,
    recipeDigest: SHA256Digest,
    resolvedDigest: SHA256Digest,
    settings: [RenderSetting],
    skippedOpcodes: [String],
    warnings: [String] = [],
    pixelVersion: Int,
    engineVersion: String,
    sourceRevision: String,
    libraries: [LibraryVersion],
    stages: [Stage],
    outputs: [Output]
  ) {
    self.inputByteCount = inputByteCount
    self.inputSHA256 = inputSHA256
    self.size = size
    self.camera = camera
    self.recipeDigest = recipeDigest
    self.resolvedDigest = resolvedDigest
    self.settings = settings
    self.skippedOpcodes = skippedOpcodes
    self.warnings = warnings
    self.pixelVersion = pixelVersion
    self.engineVersion = engineVersion
    self.sourceRevision = sourceRevision
    self.libraries = libraries
    self.stages = stages
    self.outputs = outputs
  }
}
