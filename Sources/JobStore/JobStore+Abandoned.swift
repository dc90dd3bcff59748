package import JobModel
internal import PostgresClient

private let selectAbandoned = SQLStatement(
  "job.abandoned",
  "SELECT id, attempt, output_ids, output_roots, output_paths FROM abandoned_jobs($1)"
)

extension JobStore {
  /// A job that ended with its worker: nobody is left to remove what its attempts had begun.
  package struct AbandonedJob: Equatable, Sendable {
    package var id: JobID
    /// The number of the last attempt.
    package var attempt: Int
    package var outputs: [PlannedOutput]

    package init(id: JobID, attempt: Int, outputs: [PlannedOutput]) {
      self.id = id
      self.attempt = attempt
      self.outputs = outputs
    }
  }

  /// Those of the rescued jobs that have ended; the others have a next attempt, which removes what the
  /// earlier ones left.
  package func abandoned(among rescued: Set<JobID>) throws(JobStoreError) -> [AbandonedJob] {
    guard !rescued.isEmpty else { return [] }
    let result = try query(selectAbandoned, [.int64Array(rescued.map(\.rawValue).sorted())])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        AbandonedJob(
          id: JobID(rawValue: try row.int64(0)),
          attempt: try row.int(1),
          outputs: try row.plannedOutputs(2)
        )
      }
    }
  }
}
