internal import JSON
internal import JobModel
internal import PostgresClient

private let insertStatistics = SQLStatement(
  "statistics.insert",
  "SELECT 1 FROM record_statistics($1, $2, $3, $4)"
)

private let insertSceneHistograms = SQLStatement(
  "statistics.insertScene",
  "SELECT 1 FROM record_scene_histograms($1, $2, $3, $4)"
)

extension JobStore {
  /// Records statistics in the transaction of their jobs' completion.
  func record(statisticsOf reports: [JobReport]) throws(JobStoreError) {
    let measured = reports.filter { !$0.statistics.isEmpty }
    guard !measured.isEmpty else { return }
    let rows = measured.flatMap { report in report.statistics.map { (report.lease, $0) } }
    try record(rows.map { ($0, $1.outputID, $1.rows) }, by: insertStatistics)
    let scenes = rows.compactMap { lease, record in
      record.rows["areaHistogram"].map { (lease, record.outputID, $0) }
    }
    // Few recipes ask for them.
    if !scenes.isEmpty { try record(scenes, by: insertSceneHistograms) }
  }

  private func record(
    _ rows: [(lease: Lease, outputID: String, value: JSONValue)],
    by statement: SQLStatement
  ) throws(JobStoreError) {
    try query(
      statement,
      [
        .int64Array(rows.map(\.lease.job.rawValue)),
        .uuidArray(rows.map { UUIDValue($0.lease.token) }),
        .textArray(rows.map(\.outputID)),
        .jsonbArray(rows.map { databaseJSON($0.value) }),
      ]
    )
  }
}
