internal import JobModel
internal import PostgresClient

private let insertStatistics = SQLStatement(
  "statistics.insert",
  "SELECT 1 FROM record_statistics($1, $2, $3, $4)"
)

extension JobStore {
  /// Records statistics in the transaction of their jobs' completion.
  func record(statisticsOf reports: [JobReport]) throws(JobStoreError) {
    let measured = reports.filter { !$0.statistics.isEmpty }
    guard !measured.isEmpty else { return }
    let rows = measured.flatMap { report in report.statistics.map { (report.lease, $0) } }
    try query(
      insertStatistics,
      [
        .int64Array(rows.map(\.0.job.rawValue)),
        .uuidArray(rows.map { UUIDValue($0.0.token) }),
        .textArray(rows.map(\.1.outputID)),
        .jsonbArray(rows.map { databaseJSON($0.1.rows) }),
      ]
    )
  }
}
