/// What a finished attempt hands over: how its outputs came about.
///
/// The outputs themselves were recorded as intents before they were published; completing the job
/// marks them as published.
package struct JobReport: Sendable {
  package var lease: Lease
  package var provenance: ProvenanceRecord
  /// Photosites of the input's default crop: what throughput counts.
  package var pixels: Int64
  /// Of all outputs.
  package var outputBytes: Int64
  /// Of outputs that store the input's samples anew.
  package var proofs: [ProofRecord]
  /// Of outputs that are statistics.
  package var statistics: [StatisticsRecord]
  /// Whether the output took the input's place.
  package var isReplacement: Bool

  package init(
    lease: Lease,
    provenance: ProvenanceRecord,
    pixels: Int64,
    outputBytes: Int64 = 0,
    proofs: [ProofRecord] = [],
    statistics: [StatisticsRecord] = [],
    isReplacement: Bool = false
  ) {
    self.lease = lease
    self.provenance = provenance
    self.pixels = pixels
    self.outputBytes = outputBytes
    self.proofs = proofs
    self.statistics = statistics
    self.isReplacement = isReplacement
  }
}
