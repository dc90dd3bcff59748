package import Digest
internal import TIFFContainer

/// A DNG that was written anew, in parts.
package struct DNGOutput: Sendable {
  private let layout: TIFFLayout
  /// What became of the samples.
  package let report: DNGOutputReport

  init(_ layout: TIFFLayout, report: DNGOutputReport) {
    self.layout = layout
    self.report = report
  }

  /// The file's length.
  package var byteCount: Int { layout.byteCount }

  /// The file's parts with their offsets, ascending; what lies between them is zero.
  package var parts: [(offset: Int, bytes: [UInt8])] {
    [(0, layout.structure)] + layout.contents
  }

  /// The whole file.
  package func bytes() -> [UInt8] { layout.assembled() }
}

/// What writing did to the samples of a raw.
package struct DNGOutputReport: Equatable, Sendable {
  /// Value of Compression (259).
  package var compression: DNGCompression
  package var bitsPerSample: Int
  /// Whether samples are floating point.
  package var isFloatingPoint = false
  /// Whether each sample has the code that the source has.
  package var isUnchanged: Bool
  /// NewRawImageDigest: of the samples, or of the coded tiles of JPEG XL and lossy JPEG.
  package var rawImageDigest: MD5Digest?
  /// Versions of the libraries that coded samples, by name.
  package var libraries: [String: String] = [:]
  /// What could not be kept, in words.
  package var leftOut: [String]
  /// Of samples that got other codes.
  package var error: DNGSampleError?
}

/// How far samples are from the source's, in linear codes and in units of the noise.
package struct DNGSampleError: Equatable, Sendable {
  /// The largest distance between neighbouring codes.
  package var worstStepInSigma: Double
  package var worstInCodes: Double
  package var rmsInCodes: Double
  package var worstInSigma: Double
  package var rmsInSigma: Double
  /// Samples outside the range that has codes (far below black).
  package var clippedCount: Int

  package init(
    worstStepInSigma: Double,
    worstInCodes: Double,
    rmsInCodes: Double,
    worstInSigma: Double,
    rmsInSigma: Double,
    clippedCount: Int
  ) {
    self.worstStepInSigma = worstStepInSigma
    self.worstInCodes = worstInCodes
    self.rmsInCodes = rmsInCodes
    self.worstInSigma = worstInSigma
    self.rmsInSigma = rmsInSigma
    self.clippedCount = clippedCount
  }
}
