internal import JobModel
internal import PostgresClient

/// A job that is done again has the statistics of its last attempt.
private let deleteStatistics = SQLStatement(
  "statistics.delete",
  """
  WITH photos AS (DELETE FROM photo_statistics WHERE job_id = ANY ($1)),
    planes AS (DELETE FROM plane_statistics WHERE job_id = ANY ($1))
  DELETE FROM plane_histogram WHERE job_id = ANY ($1)
  """
)

/// An array of numbers; NULL for anything else.
private func doubles(_ value: String) -> String {
  """
  CASE WHEN jsonb_typeof(\(value)) = 'array'
    THEN ARRAY(SELECT jsonb_array_elements_text(\(value))::float8) END
  """
}

private let insertStatistics = SQLStatement(
  "statistics.insert",
  """
  WITH given AS MATERIALIZED (
    SELECT g.job_id, g.attempt, g.output_id, g.rows, j.batch_id, j.input_root, j.input_path,
      clock_timestamp() AS measured_at,
      decode(g.rows->>'linearizationTable', 'hex') AS linearization
    FROM unnest($1::bigint[], $2::int[], $3::text[], $4::jsonb[])
      AS g (job_id, attempt, output_id, rows)
    JOIN job j ON j.id = g.job_id
  ), linearizations AS (
    INSERT INTO linearization (sha256, levels)
    SELECT t.sha256, ARRAY(
      SELECT get_byte(t.linearization, 2 * i) * 256 + get_byte(t.linearization, 2 * i + 1)
      FROM generate_series(0, octet_length(t.linearization) / 2 - 1) AS i)
    FROM (
      SELECT DISTINCT ON (sha256(linearization)) sha256(linearization) AS sha256, linearization
      FROM given WHERE linearization IS NOT NULL ORDER BY sha256(linearization)
    ) AS t
    WHERE NOT EXISTS (SELECT FROM linearization l WHERE l.sha256 = t.sha256)
    ON CONFLICT DO NOTHING
  ), photos AS (
    INSERT INTO photo_statistics (
      job_id, output_id, measured_at, attempt, batch_id, input_root, input_path, path, make, model, camera,
      lens, iso, exposure_time, f_number, focal_length, captured_at, layout, bits_per_sample,
      sample_format, levels_per_unit, area_left, area_top, area_width, area_height, limiting_plane,
      headroom_ev, green_ratio, green_local_difference, grey_world_neutral, white_patch_neutral,
      as_shot_neutral, linearization_sha256)
    SELECT job_id, output_id, measured_at, attempt, batch_id, input_root, input_path,
      display_path(input_path),
      rows->'camera'->>'make', rows->'camera'->>'model',
      coalesce(rows->'camera'->>'uniqueCameraModel',
        nullif(concat_ws(' ', rows->'camera'->>'make', rows->'camera'->>'model'), '')),
      rows->'camera'->>'lensModel', least((rows->'camera'->>'isoSpeed')::bigint, 2147483647)::int,
      (rows->>'exposureTimeSeconds')::float8, (rows->>'fNumber')::float8,
      (rows->>'focalLengthMillimetres')::float8,
      exif_timestamp(rows->'camera'->>'dateTimeOriginal'), rows->>'layout',
      (rows->>'bitsPerSample')::smallint, rows->>'sampleFormat', (rows->>'levelsPerUnit')::float8,
      (rows->'area'->>'left')::int, (rows->'area'->>'top')::int, (rows->'area'->>'width')::int,
      (rows->'area'->>'height')::int, rows->>'limitingPlane', (rows->>'headroomEV')::float8,
      (rows->>'greenRatio')::float8, (rows->>'greenLocalDifference')::float8,
      \(doubles("rows->'greyWorldNeutral'")),
      \(doubles("rows->'whitePatchNeutral'")),
      \(doubles("rows->'asShotNeutral'")),
      sha256(linearization)
    FROM given
  ), plane AS MATERIALIZED (
    SELECT g.job_id, g.output_id, g.measured_at, g.batch_id, p.value AS p
    FROM given g CROSS JOIN LATERAL jsonb_array_elements(g.rows->'planes') AS p
  ), planes AS (
    INSERT INTO plane_statistics (
      job_id, output_id, measured_at, batch_id, plane, samples, black, white, minimum, maximum, mean,
      sigma, mean_ev, p0_01, p0_1, p1, p5, p25, p50, p75, p95, p99, p99_9, p99_99, clipped,
      saturation_level, saturated, underexposed, headroom_ev, masked_samples, masked_mean,
      masked_sigma, noise_slope, noise_offset, declared_noise_slope, declared_noise_offset,
      dynamic_range_ev, unit_snr_signal, snr_18, ev_counts, ev_clipped, ev_deeper, ev_not_positive)
    SELECT job_id, output_id, measured_at, batch_id, p->>'plane', (p->>'count')::bigint,
      (p->>'black')::float8, (p->>'white')::float8, (p->>'minimum')::int, (p->>'maximum')::int,
      (p->>'mean')::float8, (p->>'standardDeviation')::float8, (p->>'meanEV')::float8,
      (p->>'p0_01')::int, (p->>'p0_1')::int, (p->>'p1')::int, (p->>'p5')::int, (p->>'p25')::int,
      (p->>'p50')::int, (p->>'p75')::int, (p->>'p95')::int, (p->>'p99')::int, (p->>'p99_9')::int,
      (p->>'p99_99')::int, (p->>'clippedCount')::bigint, (p->>'saturationLevel')::int,
      (p->>'saturatedCount')::bigint, (p->>'underexposedCount')::bigint,
      (p->>'headroomEV')::float8, (p->'masked'->>'count')::bigint, (p->'masked'->>'mean')::float8,
      (p->'masked'->>'standardDeviation')::float8, (p->'noise'->>'slope')::float8,
      (p->'noise'->>'offset')::float8, (p->'declaredNoise'->>'slope')::float8,
      (p->'declaredNoise'->>'offset')::float8, (p->'noise'->>'dynamicRangeEV')::float8,
      (p->'noise'->>'signalOfUnitRatio')::float8, (p->'noise'->>'signalToNoiseAt18Percent')::float8,
      ARRAY(SELECT jsonb_array_elements_text(p->'exposure'->'counts')::bigint),
      (p->'exposure'->>'clipped')::bigint, (p->'exposure'->>'deeper')::bigint,
      (p->'exposure'->>'notPositive')::bigint
    FROM plane
  )
  INSERT INTO plane_histogram (
    job_id, output_id, measured_at, batch_id, plane, first_level, level_count, occupied, counts, bins)
  SELECT job_id, output_id, measured_at, batch_id, p->>'plane', (p->'histogram'->>'firstLevel')::int,
    (p->'histogram'->>'levelCount')::int, decode(p->'histogram'->>'occupied', 'hex'),
    decode(p->'histogram'->>'counts', 'hex'),
    CASE WHEN p ? 'bins' THEN ARRAY(SELECT jsonb_array_elements_text(p->'bins')::int) END
  FROM plane
  """
)

extension JobStore {
  /// Records statistics in the transaction of their jobs' completion.
  func record(statisticsOf reports: [JobReport]) throws(JobStoreError) {
    let measured = reports.filter { !$0.statistics.isEmpty }
    guard !measured.isEmpty else { return }
    let again = measured.filter { $0.lease.attempt > 1 }.map(\.lease.job.rawValue)
    if !again.isEmpty { try query(deleteStatistics, [.int64Array(again)]) }
    let rows = measured.flatMap { report in report.statistics.map { (report.lease, $0) } }
    try query(
      insertStatistics,
      [
        .int64Array(rows.map(\.0.job.rawValue)),
        .int32Array(rows.map { Int32(clamping: $0.0.attempt) }),
        .textArray(rows.map(\.1.outputID)),
        .jsonbArray(rows.map { databaseJSON($0.1.rows) }),
      ]
    )
  }
}
