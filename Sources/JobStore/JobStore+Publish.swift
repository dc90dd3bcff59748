internal import Digest
internal import FileSystem
package import JobModel
internal import PostgresClient

/// Holds off whoever else would decide the job until the intents are committed.
private let lockLease = SQLStatement(
  "lease.lock",
  "SELECT attempt FROM lease WHERE job_id = $1 AND token = $2 FOR UPDATE"
)

private let selectIntents = SQLStatement(
  "output.intents",
  """
  SELECT \(OutputRecord.columns), o.attempt, o.published_at IS NOT NULL
  FROM output o WHERE o.job_id = $1 AND o.attempt < $2 ORDER BY o.attempt, o.output_id
  """
)

private let insertIntents = SQLStatement(
  "output.insert",
  """
  INSERT INTO output (job_id, attempt, output_id, root, path, size, sha256, width, height, format,
    color_space, bit_depth)
  SELECT $1, $2, g.* FROM unnest($3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bytea[],
    $8::int[], $9::int[], $10::text[], $11::text[], $12::smallint[]) AS g
  ON CONFLICT (job_id, attempt, output_id) DO UPDATE SET
    root = excluded.root, path = excluded.path, size = excluded.size, sha256 = excluded.sha256,
    width = excluded.width, height = excluded.height, format = excluded.format,
    color_space = excluded.color_space, bit_depth = excluded.bit_depth
  """
)

extension JobStore {
  /// Commits, under the lease's lock, what an attempt is about to publish, and gives what earlier
  /// attempts of the same job named.
  ///
  /// Call it after every output is written, flushed and verified, before the first gets its name. It
  /// may be repeated after a lost connection. The replacement is recorded with the outputs where one of
  /// them takes the input's place.
  ///
  /// - Throws: `leaseLost` if the job is not this attempt's any more: publish nothing.
  package func recordIntent(
    _ lease: Lease,
    outputs: [OutputRecord],
    replacement: ReplacementRecord? = nil
  ) throws(JobStoreError) -> [OutputIntent] {
    try transaction { () throws(JobStoreError) in
      let held = try query(
        lockLease,
        [.int64(lease.job.rawValue), .uuid(UUIDValue(lease.token))]
      )
      guard held.rowCount == 1 else { throw .leaseLost(lease.job) }
      let attempt = try wrapping { () throws(PostgresError) in try held[0].int64(0) }
      let result = try query(selectIntents, [.int64(lease.job.rawValue), .int64(attempt)])
      var intents: [OutputIntent] = []
      for index in 0..<result.rowCount {
        let row = result[index]
        let output = try row.outputRecord(0)
        let intent = try wrapping { () throws(PostgresError) in
          OutputIntent(attempt: try row.int(10), output: output, isPublished: try row.bool(11))
        }
        intents.append(intent)
      }
      try query(
        insertIntents,
        [
          .int64(lease.job.rawValue), .int64(attempt), .textArray(outputs.map(\.id)),
          .textArray(outputs.map(\.location.root)), .bytesArray(outputs.map(\.location.path.bytes)),
          .int64Array(outputs.map(\.size)), .bytesArray(outputs.map(\.sha256.bytes)),
          .int32Array(outputs.map { output in output.width.map { Int32(clamping: $0) } }),
          .int32Array(outputs.map { output in output.height.map { Int32(clamping: $0) } }),
          .textArray(outputs.map(\.format)), .textArray(outputs.map(\.colorSpace)),
          .int16Array(outputs.map { output in output.bitDepth.map { Int16(clamping: $0) } }),
        ]
      )
      if let replacement { try record(replacement, lease.job, attempt: attempt) }
      return intents
    }
  }
}
