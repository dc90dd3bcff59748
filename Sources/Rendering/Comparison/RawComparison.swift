package import Digest

/// How two raws differ: their samples, and what the files say about them.
///
/// The first is the original, in whose codes errors are counted; the second is what was made of it.
package struct RawComparison: Equatable, Sendable {
  /// One of the two files.
  package struct File: Equatable, Sendable {
    package var byteCount: Int
    package var sha256: SHA256Digest
    /// Of the stored samples before any linearisation.
    package var samplesSHA256: SHA256Digest
    package var bitsPerSample: Int
    /// What is wrong with the file and was passed over, in words.
    package var warnings: [String]

    package init(
      byteCount: Int,
      sha256: SHA256Digest,
      samplesSHA256: SHA256Digest,
      bitsPerSample: Int,
      warnings: [String] = []
    ) {
      self.byteCount = byteCount
      self.sha256 = sha256
      self.samplesSHA256 = samplesSHA256
      self.bitsPerSample = bitsPerSample
      self.warnings = warnings
    }
  }

  package var first: File
  package var second: File
  /// Nil where the frames have another size or layout: no sample has a counterpart then.
  package var samples: SampleComparison?
  /// Why there is nothing to compare (`4032x3024 and 2016x1512`).
  package var shapeDifference: String?
  /// Whether the first is a mosaic and its samples were demosaiced before they were compared.
  package var isDemosaiced: Bool
  /// Tags that differ; nil where a file has none that can be read (no TIFF structure).
  package var tags: [TagDifference]?

  package init(
    first: File,
    second: File,
    samples: SampleComparison?,
    shapeDifference: String? = nil,
    isDemosaiced: Bool = false,
    tags: [TagDifference]?
  ) {
    self.first = first
    self.second = second
    self.samples = samples
    self.shapeDifference = shapeDifference
    self.isDemosaiced = isDemosaiced
    self.tags = tags
  }
}
