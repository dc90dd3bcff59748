internal import Digest
internal import FileSystem
internal import JobModel
internal import Rendering

extension RenderSlot {
  /// Has a child decode input and output anew and compare them.
  ///
  /// - Throws: `outputUnproven` where the output is not what the recipe asks for, or not the file that
  ///   was hashed.
  func prove(
    _ written: WrittenOutput,
    _ input: OpenFile,
    _ output: OpenFile,
    by rule: ProofRule,
    inputSHA256: SHA256Digest,
    _ services: Services
  ) throws(WorkerError) -> ProvenOutput {
    services.observe(.stage("prove \(written.target.id)"))
    let comparison = try RawComparison(
      childAnswer: try ask(
        .compare(demosaics: rule.demosaics, threads: settings.threads),
        files: [input, output],
        services.observe
      )
    )
    guard comparison.first.sha256 == inputSHA256 else {
      throw .inputChanged(
        input.descriptor.path ?? "the input",
        detail: "its content is another than the one that was rendered"
      )
    }
    guard comparison.second.sha256 == written.sha256 else {
      throw .outputUnverified(written.target.path, detail: "its content changed under way")
    }
    guard let samples = comparison.samples else {
      throw .outputUnproven(
        written.target.path,
        detail: comparison.shapeDifference ?? "it has another shape"
      )
    }
    // An output that would have been larger than its input is the input's own bytes.
    let isKept = rule.keepsSmaller && written.sha256 == inputSHA256
    guard
      let verdict = isKept ? .kept : rule.verdict(samples, isDemosaiced: comparison.isDemosaiced)
    else {
      throw .outputUnproven(
        written.target.path,
        detail:
          "\(samples.differing) of \(samples.count) samples differ, by up to \(samples.worstCodes) codes "
          + "or \(samples.worstHalfSteps / 2) steps, PSNR \(samples.psnr ?? .infinity) dB; the recipe "
          + "allows \(rule.tolerance)"
      )
    }
    return ProvenOutput(outputID: written.target.id, verdict: verdict, comparison: comparison)
  }
}
