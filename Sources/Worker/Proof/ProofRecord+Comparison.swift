internal import JSON
package import JobModel
package import Rendering

extension ProofRecord {
  /// The proof of an output whose samples can be compared.
  package init?(outputID: String, verdict: ProofVerdict, comparison: RawComparison) {
    guard let samples = comparison.samples else { return nil }
    self.init(
      outputID: outputID,
      verdict: verdict,
      input: File(comparison.first),
      output: File(comparison.second),
      samples: samples.count,
      differing: samples.differing,
      worstCodes: samples.worstCodes,
      rmsCodes: samples.rmsCodes,
      worstSigma: samples.worstSigma,
      rmsSigma: samples.rmsSigma,
      worstHalfSteps: samples.worstHalfSteps,
      psnr: samples.psnr,
      tags: .array((comparison.tags ?? []).map(\.json))
    )
  }
}

extension ProofRecord.File {
  fileprivate init(_ file: RawComparison.File) {
    self.init(
      size: Int64(file.byteCount),
      sha256: file.sha256,
      samplesSHA256: file.samplesSHA256
    )
  }
}
