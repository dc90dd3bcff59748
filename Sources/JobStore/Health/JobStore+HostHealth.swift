package import FileSystem
package import JobModel
internal import PostgresClient

private let selectClock = SQLStatement("health.clock", "SELECT clock_timestamp()")

/// Places of outputs of batches that are not finished, newest jobs first.
private let selectOutputPlaces = SQLStatement(
  "health.outputPlaces",
  """
  SELECT j.output_roots[1], j.output_paths[1] FROM batch b CROSS JOIN LATERAL (
    SELECT output_roots, output_paths FROM job WHERE batch_id = b.id ORDER BY id DESC LIMIT 5) j
  WHERE b.finished_at IS NULL AND cardinality(j.output_roots) > 0
  ORDER BY b.id DESC LIMIT 100
  """
)

/// The folder of the server's data where this session may know it and runs on the same host.
private let selectDataFolder = SQLStatement(
  "health.dataFolder",
  """
  SELECT CASE WHEN inet_server_addr() IS NULL
    THEN (SELECT setting FROM pg_settings WHERE name = 'data_directory') END
  """
)

extension JobStore {
  /// How far the server's clock is ahead of this host's, in seconds, and how far off that may be: half
  /// the time of the quickest of five questions.
  package func clockSkew() throws(JobStoreError) -> (seconds: Double, error: Double) {
    var best: (seconds: Double, error: Double)?
    for _ in 0..<5 {
      let begin = SystemInformation.monotonicTime
      let own = SystemInformation.wallClockNanoseconds
      let result = try query(selectClock)
      let roundTrip = (SystemInformation.monotonicTime - begin) / .seconds(1)
      let server = try wrapping { () throws(PostgresError) in try result[0].timestamp(0) }
      let middle = Double(own) / 1e9 + roundTrip / 2
      if roundTrip / 2 < best?.error ?? .infinity {
        best = (Double(server) / 1e6 - middle, roundTrip / 2)
      }
    }
    return best ?? (0, .infinity)
  }

  /// Where outputs of batches that are not finished go, as far as a sample of their jobs says.
  package func outputPlaces() throws(JobStoreError) -> [FileLocation] {
    let result = try query(selectOutputPlaces)
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in try row.location(0) }
    }
  }

  /// The folder of the server's data, if the server runs on this host and says where.
  package func dataFolder() throws(JobStoreError) -> FilePath? {
    let result = try query(selectDataFolder)
    return try wrapping { () throws(PostgresError) in
      try result[0].optionalText(0).map { FilePath($0) }
    }
  }

  /// What a difference between this host's clock and the server's means; `error` is what the measurement
  /// may be off by.
  package static func clockFindings(seconds: Double, error: Double) -> [HealthFinding] {
    let certain = seconds.magnitude - error
    guard certain > 2 else { return [] }
    let tenths = Double(Int((min(seconds.magnitude, 1e15) * 10).rounded())) / 10
    return [
      HealthFinding(
        certain > 60 ? .warning : .note,
        "clockSkew",
        "the database's clock is \(tenths) s \(seconds > 0 ? "ahead of" : "behind") this host's",
        "run an NTP service on both; no job is lost by it, but delays shift and times in reports disagree"
      )
    ]
  }

  /// What is wrong with the room that is left on a file system; `files` is nil where it counts none.
  package static func diskFindings(
    of what: String,
    freeBytes: Double,
    totalBytes: Double,
    freeFiles: Double?
  ) -> [HealthFinding] {
    var findings: [HealthFinding] = []
    let advice = "make room there, or give batches another destination"
    if freeBytes < 10e9 || freeBytes < totalBytes / 50 {
      findings.append(
        HealthFinding(
          freeBytes < 1e9 ? .critical : .warning,
          "diskFull",
          "\(what) has \(Int(freeBytes / 1e6)) MB left of \(Int(totalBytes / 1e6)) MB",
          advice
        )
      )
    }
    if let freeFiles, freeFiles < 10_000 {
      findings.append(
        HealthFinding(
          freeFiles < 100 ? .critical : .warning,
          "diskFull",
          "\(what) has room for \(Int(freeFiles)) more files",
          advice
        )
      )
    }
    return findings
  }
}
