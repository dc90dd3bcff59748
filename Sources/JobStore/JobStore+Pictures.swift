package import JobModel
internal import PostgresClient

/// The one that is quickest to show comes first.
///
/// A HEIC has a thumbnail, a DNG a preview. Linear pictures are none for people.
private let selectPictures = SQLStatement(
  "report.pictures",
  """
  SELECT o.job_id, o.root, o.path, o.size
  FROM unnest($1::bigint[]) WITH ORDINALITY AS g (id, place) CROSS JOIN LATERAL (
    SELECT job_id, root, path, size FROM output
    WHERE job_id = g.id AND published_at IS NOT NULL
      AND (format IN ('heic', 'dng') OR format = 'tiff' AND color_space = 'displayP3')
    ORDER BY format = 'heic' DESC, format = 'dng' DESC, output_id LIMIT 1
  ) o ORDER BY g.place
  """
)

extension JobStore {
  /// Of each job the published output that is to be shown, where it has one, in the order of the jobs.
  package func pictures(of jobs: [JobID]) throws(JobStoreError) -> [PublishedPicture] {
    let result = try query(selectPictures, [.int64Array(jobs.map(\.rawValue))])
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        PublishedPicture(
          job: JobID(rawValue: try row.int64(0)),
          location: try row.location(1),
          size: try row.int64(3)
        )
      }
    }
  }
}
