internal import Digest
internal import JSON
package import JobModel
internal import PostgresClient

private let completeJobs = SQLStatement(
  "job.complete",
  """
  SELECT job_id, is_repeated
  FROM complete_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  """
)

extension JobStore {
  /// Commits outcome, results and provenance of jobs, and gives those for which this took effect.
  ///
  /// A job that is not among them was decided by somebody else: throw its work away. After a lost
  /// connection the call is repeated as it was; what had been committed counts as taken effect.
  package func complete(_ reports: [JobReport]) throws(JobStoreError) -> Set<JobID> {
    guard !reports.isEmpty else { return [] }
    return try transaction { () throws(JobStoreError) in try completeInside(reports) }
  }

  /// Completes jobs and claims others in one transaction: one wait for the disk instead of two.
  package func complete(
    _ reports: [JobReport],
    thenClaim count: Int,
    for worker: WorkerID,
    memory: MemoryRange = .any
  ) throws(JobStoreError) -> (completed: Set<JobID>, claimed: [ClaimedJob]) {
    try transaction { () throws(JobStoreError) in
      let completed = reports.isEmpty ? [] : try completeInside(reports)
      return (completed, try claim(worker, count: count, memory: memory))
    }
  }

  private func completeInside(_ reports: [JobReport]) throws(JobStoreError) -> Set<JobID> {
    let records = reports.map(\.provenance)
    let jobs = reports.map(\.lease.job.rawValue)
    let tokens = reports.map { UUIDValue($0.lease.token) }
    let result = try query(
      completeJobs,
      [
        .int64Array(jobs), .uuidArray(tokens), .int64Array(reports.map(\.pixels)),
        .int64Array(records.map(\.input.size)),
        .int64Array(records.map(\.input.modificationNanoseconds)),
        .bytesArray(records.map(\.inputSHA256.bytes)),
        .bytesArray(records.map(\.resolvedDigest.bytes)),
        .jsonbArray(records.map { databaseJSON($0.resolvedSettings) }),
        .int32Array(records.map { Int32(clamping: $0.pixelVersion) }),
        .textArray(records.map { databaseText($0.engineVersion) }),
        .textArray(records.map { databaseText($0.sourceRevision) }),
        .textArray(records.map { databaseText($0.host) }),
        .jsonbArray(records.map { databaseJSON($0.librariesJSON) }),
        .jsonbArray(records.map { databaseJSON($0.stagesJSON) }),
        .int64Array(records.map(\.peakMemoryBytes)),
      ]
    )
    let completed = try jobIDs(result)
    // What was said before was recorded then. Most jobs prove and replace nothing, and pay for nothing.
    var fresh: Set<JobID> = []
    try wrapping { () throws(PostgresError) in
      for row in 0..<result.rowCount where try !result[row].bool(1) {
        fresh.insert(JobID(rawValue: try result[row].int64(0)))
      }
    }
    let effective = reports.filter { fresh.contains($0.lease.job) }
    try completeReplacements(effective.filter(\.isReplacement).map(\.lease))
    try record(proofsOf: effective)
    try record(statisticsOf: effective)
    return completed
  }

  /// The first column of every row.
  func jobIDs(_ result: PostgresResult) throws(JobStoreError) -> Set<JobID> {
    try wrapping { () throws(PostgresError) in
      Set(try result.map { (row) throws(PostgresError) in JobID(rawValue: try row.int64(0)) })
    }
  }
}

extension ProvenanceRecord {
  fileprivate var librariesJSON: JSONValue {
    .object(
      libraryVersions.sorted { $0.key < $1.key }
        .map { (key: $0.key, value: JSONValue($0.value)) }
    )
  }

  fileprivate var stagesJSON: JSONValue {
    .array(stageNanoseconds.map { .array([.string($0.stage), .integer($0.nanoseconds)]) })
  }
}
