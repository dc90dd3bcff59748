package import Digest
internal import FileSystem
package import JSON
package import JobModel
internal import PostgresClient

/// A time in RFC 3339 with milliseconds: the time zone of sessions is UTC.
private func text(_ column: String) -> String {
  #"to_char(\#(column), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"#
}

/// A published output with everything that is known of how it came about, as one JSON object.
///
/// json and not jsonb: its members stay in this order. A recipe that carries whole files is left out; its
/// digest names it.
private let selectProvenance = """
  SELECT json_build_object(
    'output', json_build_object(
      'id', o.output_id, 'root', o.root, 'path', display_path(o.path), 'size', o.size,
      'sha256', encode(o.sha256, 'hex'), 'format', o.format, 'width', o.width, 'height', o.height,
      'colorSpace', o.color_space, 'bitDepth', o.bit_depth,
      'published', \(text("o.published_at"))),
    'input', json_build_object(
      'root', p.input_root, 'path', display_path(p.input_path), 'size', p.input_size,
      'mtimeNanoseconds', p.input_mtime_ns, 'sha256', encode(p.input_sha256, 'hex')),
    'attempt', json_build_object(
      'job', o.job_id, 'attempt', o.attempt, 'batch', p.batch_id, 'batchName', b.name,
      'worker', p.worker_id, 'host', p.host, 'claimed', \(text("p.claimed_at")),
      'finished', \(text("p.finished_at")),
      'peakMemoryBytes', p.peak_memory_bytes),
    'engine', json_build_object(
      'version', p.engine_version, 'sourceRevision', p.source_revision,
      'pixelVersion', p.pixel_version, 'libraries', p.libraries),
    'recipe', json_build_object(
      'digest', encode(p.recipe_digest, 'hex'), 'resolvedDigest', encode(p.resolved_digest, 'hex'),
      'canonical', CASE WHEN octet_length(r.canonical) <= 65536 THEN r.canonical::json END),
    'settings', p.resolved_settings,
    'proof', (
      SELECT json_build_object('verdict', f.verdict, 'differing', f.differing, 'samples', f.samples)
      FROM proof f
      WHERE f.job_id = o.job_id AND f.attempt = o.attempt AND f.output_id = o.output_id)
  )::text
  FROM output o JOIN provenance p ON p.job_id = o.job_id AND p.attempt = o.attempt
  LEFT JOIN batch b ON b.id = p.batch_id LEFT JOIN recipe r ON r.digest = p.recipe_digest
  """

private let newestFirst = """
  AND o.published_at IS NOT NULL ORDER BY o.published_at DESC, o.job_id DESC, o.output_id LIMIT $1
  """

private let selectByPlace = SQLStatement(
  "provenance.byPlace",
  """
  \(selectProvenance) WHERE (o.root, o.path) IN (
    SELECT * FROM unnest($2::text[], $3::bytea[])) \(newestFirst)
  """
)

private let selectByDigest = SQLStatement(
  "provenance.byDigest",
  "\(selectProvenance) WHERE o.sha256 = $2 \(newestFirst)"
)

extension JobStore {
  /// How published outputs at some places came about, the newest first: of each an object with `output`,
  /// `input`, `attempt`, `engine`, `recipe`, `settings` and `proof`.
  ///
  /// An output that was replaced, or made again after it was deleted, is there once for each time.
  package func provenance(
    at places: [FileLocation],
    limit: Int = 100
  ) throws(JobStoreError) -> [JSONValue] {
    try objects(
      query(
        selectByPlace,
        [
          .int64(Int64(limit)), .textArray(places.map { databaseText($0.root) }),
          .bytesArray(places.map(\.path.bytes)),
        ]
      )
    )
  }

  /// The same of outputs with these very bytes, wherever they are; looks at every output.
  package func provenance(
    of sha256: SHA256Digest,
    limit: Int = 100
  ) throws(JobStoreError) -> [JSONValue] {
    try objects(query(selectByDigest, [.int64(Int64(limit)), .bytes(sha256.bytes)]))
  }

  private func objects(_ result: PostgresResult) throws(JobStoreError) -> [JSONValue] {
    var objects: [JSONValue] = []
    for index in 0..<result.rowCount {
      let text = try wrapping { () throws(PostgresError) in try result[index].text(0) }
      do throws(JSONError) {
        objects.append(try JSONParser.parse(text))
      } catch {
        throw .storedValueInvalid(column: "provenance", value: text)
      }
    }
    return objects
  }
}
