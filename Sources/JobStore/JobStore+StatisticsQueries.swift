package import JobModel
internal import PostgresClient

private let selectPlaneSums = SQLStatement(
  "statistics.planes",
  """
  SELECT s.plane, count(*), sum(s.samples)::bigint, sum(s.clipped)::bigint, avg(s.black),
    avg(s.white),
    ARRAY(SELECT e.samples FROM batch_exposure($1) AS e WHERE e.plane = s.plane ORDER BY e.ev DESC)
  FROM plane_statistics s WHERE s.batch_id = $1 GROUP BY s.plane
  ORDER BY array_position(
    ARRAY['red', 'green1', 'green', 'green2', 'blue', 'gray'], s.plane)
  """
)

private let selectLevelSums = SQLStatement(
  "statistics.levels",
  "SELECT plane, level, samples FROM batch_histogram($1, true, $2)"
)

private let selectExportedColumns = SQLStatement(
  "statistics.columns",
  """
  SELECT attname::text, atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype,
    'double precision'::regtype)
  FROM pg_attribute WHERE attrelid = 'exported_statistics'::regclass AND attnum > 0
  ORDER BY attnum
  """
)

/// Sums over a large batch and slow readers of an export take longer than the queue's statements may.
private let takeTime = "SET statement_timeout = 0"

extension JobStore {
  /// How exported statistics are written.
  package enum StatisticsFormat: String, CaseIterable, Sendable {
    /// RFC 4180, with a line of names.
    case csv
    /// A JSON object on each line.
    case jsonl
  }

  /// The sums of a batch's histograms, plane by plane; empty where nothing was measured.
  ///
  /// `maximumPhotos` bounds how many photos' levels are added, which takes some 10 ms for each plane of
  /// 24 MP; they are spread evenly over the batch. Nil is all; the other sums are always of all.
  package func histogram(
    of batch: BatchID,
    maximumPhotos: Int? = nil
  ) throws(JobStoreError) -> [PlaneSum] {
    try wrapping { () throws(PostgresError) in
      try connection.execute(takeTime, named: "statistics.time")
    }
    let sums = try query(selectPlaneSums, [.int64(batch.rawValue)])
    var planes: [PlaneSum] = try wrapping { () throws(PostgresError) in
      try sums.map { (row) throws(PostgresError) in
        PlaneSum(
          plane: try row.text(0),
          photos: try row.int(1),
          samples: try row.int(2),
          clipped: try row.int(3),
          black: try row.double(4),
          white: try row.double(5),
          exposure: try row.int64Array(6).map { Int($0) },
          levels: []
        )
      }
    }
    let places = Dictionary(
      planes.indices.map { (planes[$0].plane, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let levels = try query(
      selectLevelSums,
      [.int64(batch.rawValue), .optional(maximumPhotos.map { Int32(clamping: $0) })]
    )
    try wrapping { () throws(PostgresError) in
      for index in 0..<levels.rowCount {
        let row = levels[index]
        guard let place = places[try row.text(0)] else { continue }
        planes[place].levels.append((try row.int(1), try row.int(2)))
      }
    }
    return planes
  }

  /// Hands the statistics of a batch to `body`, a row for each photo and plane, as they come.
  ///
  /// Nothing is kept. `body` returns whether it wants more.
  package func exportStatistics(
    of batch: BatchID,
    as format: StatisticsFormat,
    _ body: ([UInt8]) -> Bool
  ) throws(JobStoreError) {
    let rows =
      "SELECT * FROM exported_statistics WHERE batch_id = \(batch.rawValue) "
      + "ORDER BY job_id, output_id, plane"
    try wrapping { () throws(PostgresError) in
      try connection.execute(takeTime, named: "statistics.time")
      switch format {
      case .csv:
        let copy = "COPY (\(rows)) TO STDOUT (FORMAT csv, HEADER)"
        try connection.copyOut(SQLStatement("statistics.csv", copy), body)
      case .jsonl:
        let columns = try connection.query(selectExportedColumns)
        let lines = JSONLines(
          try columns.map { (row) throws(PostgresError) in
            (name: try row.text(0), isNumber: try row.bool(1))
          }
        )
        let copy = "COPY (\(rows)) TO STDOUT"
        try connection.copyOut(SQLStatement("statistics.jsonl", copy)) { body(lines.line($0)) }
      }
    }
  }
}
