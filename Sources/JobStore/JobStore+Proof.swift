internal import Digest
internal import JSON
package import JobModel
internal import PostgresClient

private let insertProofs = SQLStatement(
  "proof.insert",
  """
  SELECT 1 FROM record_proofs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19)
  """
)

private let sumProofs = SQLStatement(
  "proof.sum",
  """
  SELECT p.verdict, count(*), sum(p.input_size)::bigint, sum(p.output_size)::bigint,
    max(p.worst_codes), max(p.worst_sigma)
  FROM proof p WHERE p.job_id = ANY ($1) GROUP BY p.verdict ORDER BY p.verdict
  """
)

/// Jobs of one question.
private let proofSlice = 5_000

extension JobStore {
  /// What the proofs of some jobs come to.
  package struct ProofSum: Equatable, Sendable {
    package var verdict: ProofVerdict
    package var count: Int
    package var inputBytes: Int64
    package var outputBytes: Int64
    package var worstCodes: Double
    package var worstSigma: Double
  }

  /// Records proofs in the transaction of their jobs' completion.
  func record(proofsOf reports: [JobReport]) throws(JobStoreError) {
    let rows = reports.flatMap { report in report.proofs.map { (report.lease, $0) } }
    guard !rows.isEmpty else { return }
    let records = rows.map(\.1)
    try query(
      insertProofs,
      [
        .int64Array(rows.map(\.0.job.rawValue)),
        .uuidArray(rows.map { UUIDValue($0.0.token) }),
        .textArray(records.map(\.outputID)), .textArray(records.map(\.verdict.rawValue)),
        .int64Array(records.map(\.input.size)), .int64Array(records.map(\.output.size)),
        .bytesArray(records.map(\.input.sha256.bytes)),
        .bytesArray(records.map(\.output.sha256.bytes)),
        .bytesArray(records.map(\.input.samplesSHA256.bytes)),
        .bytesArray(records.map(\.output.samplesSHA256.bytes)),
        .int64Array(records.map(\.samples)), .int64Array(records.map(\.differing)),
        .doubleArray(records.map(\.worstCodes)), .doubleArray(records.map(\.rmsCodes)),
        .doubleArray(records.map(\.worstSigma)), .doubleArray(records.map(\.rmsSigma)),
        .doubleArray(records.map(\.worstHalfSteps)), .doubleArray(records.map(\.psnr)),
        .jsonbArray(records.map { databaseJSON($0.tags) }),
      ]
    )
  }

  /// The proofs of some jobs, by verdict.
  package func proofs(ofJobs jobs: [JobID]) throws(JobStoreError) -> [ProofSum] {
    var sums: [ProofVerdict: ProofSum] = [:]
    for start in stride(from: 0, to: jobs.count, by: proofSlice) {
      let slice = jobs[start..<min(jobs.count, start + proofSlice)]
      let result = try query(sumProofs, [.int64Array(slice.map(\.rawValue))])
      for index in 0..<result.rowCount {
        let part = try proofSum(result[index])
        guard var sum = sums[part.verdict] else {
          sums[part.verdict] = part
          continue
        }
        sum.count += part.count
        sum.inputBytes += part.inputBytes
        sum.outputBytes += part.outputBytes
        sum.worstCodes = max(sum.worstCodes, part.worstCodes)
        sum.worstSigma = max(sum.worstSigma, part.worstSigma)
        sums[part.verdict] = sum
      }
    }
    return ProofVerdict.allCases.compactMap { sums[$0] }
  }

  private func proofSum(_ row: PostgresRow) throws(JobStoreError) -> ProofSum {
    let name = try wrapping { () throws(PostgresError) in try row.text(0) }
    guard let verdict = ProofVerdict(rawValue: name) else {
      throw .storedValueInvalid(column: "proof.verdict", value: name)
    }
    return try wrapping { () throws(PostgresError) in
      ProofSum(
        verdict: verdict,
        count: try row.int(1),
        inputBytes: try row.int64(2),
        outputBytes: try row.int64(3),
        worstCodes: try row.double(4),
        worstSigma: try row.double(5)
      )
    }
  }
}
