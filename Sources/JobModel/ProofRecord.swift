package import Digest
package import JSON

/// How far an output that stores its input's samples anew is from them, proven by a fresh decode.
package struct ProofRecord: Equatable, Sendable {
  /// One of the two files.
  package struct File: Equatable, Sendable {
    /// Bytes.
    package var size: Int64
    package var sha256: SHA256Digest
    /// Of the stored samples before any linearisation.
    package var samplesSHA256: SHA256Digest

    package init(size: Int64, sha256: SHA256Digest, samplesSHA256: SHA256Digest) {
      self.size = size
      self.sha256 = sha256
      self.samplesSHA256 = samplesSHA256
    }
  }

  package var outputID: String
  package var verdict: ProofVerdict
  package var input: File
  package var output: File
  package var samples: Int64
  package var differing: Int64
  /// In linear codes of the input.
  package var worstCodes: Double
  package var rmsCodes: Double
  /// In standard deviations of the input's noise.
  package var worstSigma: Double
  package var rmsSigma: Double
  /// In halves of the step between neighbouring codes of the output.
  package var worstHalfSteps: Double
  /// dB; nil where nothing differs.
  package var psnr: Double?
  /// Tags that differ, as an array of objects.
  package var tags: JSONValue

  package init(
    outputID: String,
    verdict: ProofVerdict,
    input: File,
    output: File,
    samples: Int64,
    differing: Int64,
    worstCodes: Double,
    rmsCodes: Double,
    worstSigma: Double,
    rmsSigma: Double,
    worstHalfSteps: Double,
    psnr: Double?,
    tags: JSONValue
  ) {
    self.outputID = outputID
    self.verdict = verdict
    self.input = input
    self.output = output
    self.samples = samples
    self.differing = differing
    self.worstCodes = worstCodes
    self.rmsCodes = rmsCodes
    self.worstSigma = worstSigma
    self.rmsSigma = rmsSigma
    self.worstHalfSteps = worstHalfSteps
    self.psnr = psnr
    self.tags = tags
  }
}
