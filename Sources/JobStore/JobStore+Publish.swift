internal import Digest
internal import FileSystem
package import JobModel
internal import PostgresClient

private let publishIntents = SQLStatement(
  "output.intents",
  """
  SELECT \(OutputRecord.columns), o.attempt, o.is_published
  FROM publish_intents($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS o
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
      let result = try query(
        publishIntents,
        [
          .int64(lease.job.rawValue), .uuid(UUIDValue(lease.token)), .textArray(outputs.map(\.id)),
          .textArray(outputs.map(\.location.root)), .bytesArray(outputs.map(\.location.path.bytes)),
          .int64Array(outputs.map(\.size)), .bytesArray(outputs.map(\.sha256.bytes)),
          .int32Array(outputs.map { output in output.width.map { Int32(clamping: $0) } }),
          .int32Array(outputs.map { output in output.height.map { Int32(clamping: $0) } }),
          .textArray(outputs.map(\.format)), .textArray(outputs.map(\.colorSpace)),
          .int16Array(outputs.map { output in output.bitDepth.map { Int16(clamping: $0) } }),
        ]
      )
      // The first row says that the lease is held.
      guard result.rowCount > 0 else { throw .leaseLost(lease.job) }
      var intents: [OutputIntent] = []
      for index in 1..<result.rowCount {
        let row = result[index]
        let output = try row.outputRecord(0)
        let intent = try wrapping { () throws(PostgresError) in
          OutputIntent(attempt: try row.int(10), output: output, isPublished: try row.bool(11))
        }
        intents.append(intent)
      }
      if let replacement { try record(replacement, lease) }
      return intents
    }
  }
}
