-- Statistics of raws' samples: what a recipe's outputs of kind statistics measured, photo by photo.
--
-- Every column says what it is in which unit (\d+ shows it); the guide Statistics has the definitions.
-- Levels are linearised codes, black not subtracted; see levels_per_unit for samples of more than 16
-- bits. The three tables are partitioned by month and share their keys.

CREATE TABLE photo_statistics (
  job_id bigint NOT NULL,
  output_id text NOT NULL,
  measured_at timestamptz NOT NULL,
  attempt integer NOT NULL,
  batch_id bigint NOT NULL,
  input_root text NOT NULL,
  input_path bytea NOT NULL,
  path text NOT NULL,
  make text,
  model text,
  camera text,
  lens text,
  iso integer,
  exposure_time double precision,
  f_number double precision,
  focal_length double precision,
  captured_at timestamp,
  layout text NOT NULL,
  bits_per_sample smallint NOT NULL,
  sample_format text NOT NULL,
  levels_per_unit double precision NOT NULL,
  area_left integer NOT NULL,
  area_top integer NOT NULL,
  area_width integer NOT NULL,
  area_height integer NOT NULL,
  limiting_plane text,
  headroom_ev double precision,
  green_ratio double precision,
  green_local_difference double precision,
  grey_world_neutral double precision[],
  white_patch_neutral double precision[],
  as_shot_neutral double precision[],
  linearization_sha256 bytea,
  PRIMARY KEY (job_id, output_id, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX photo_statistics_batch ON photo_statistics (batch_id);
COMMENT ON TABLE photo_statistics IS 'One row for each photo and statistics output: the picture as a whole.';
COMMENT ON COLUMN photo_statistics.job_id IS 'The job that measured the photo.';
COMMENT ON COLUMN photo_statistics.output_id IS 'The id of the statistics output in the job''s recipe.';
COMMENT ON COLUMN photo_statistics.measured_at IS 'When the job was completed; the key of the partitions.';
COMMENT ON COLUMN photo_statistics.attempt IS 'The attempt of the job, as in provenance.';
COMMENT ON COLUMN photo_statistics.batch_id IS 'The batch that the job was submitted with.';
COMMENT ON COLUMN photo_statistics.input_root IS 'The root of the input''s path.';
COMMENT ON COLUMN photo_statistics.input_path IS 'The input''s path under its root, in bytes.';
COMMENT ON COLUMN photo_statistics.path IS 'The same as text, as display_path makes it: bytes that are not UTF-8 as \ooo.';
COMMENT ON COLUMN photo_statistics.make IS 'Make (271).';
COMMENT ON COLUMN photo_statistics.model IS 'Model (272).';
COMMENT ON COLUMN photo_statistics.camera IS 'UniqueCameraModel (50708), or else make and model.';
COMMENT ON COLUMN photo_statistics.lens IS 'LensModel of Exif.';
COMMENT ON COLUMN photo_statistics.iso IS 'The ISO speed of Exif.';
COMMENT ON COLUMN photo_statistics.exposure_time IS 'Exposure time of Exif, in seconds.';
COMMENT ON COLUMN photo_statistics.f_number IS 'The f-number of Exif.';
COMMENT ON COLUMN photo_statistics.focal_length IS 'Focal length of Exif, in millimetres.';
COMMENT ON COLUMN photo_statistics.captured_at IS 'DateTimeOriginal of Exif: the camera''s local time; NULL where it is no date.';
COMMENT ON COLUMN photo_statistics.layout IS 'rggb, grbg, gbrg or bggr for a mosaic, linearRaw, monochrome.';
COMMENT ON COLUMN photo_statistics.bits_per_sample IS 'BitsPerSample of the stored samples.';
COMMENT ON COLUMN photo_statistics.sample_format IS 'unsignedInteger or floatingPoint.';
COMMENT ON COLUMN photo_statistics.levels_per_unit IS 'Levels for each stored unit: 1 up to 16 bits, else 65535 over the highest WhiteLevel.';
COMMENT ON COLUMN photo_statistics.area_left IS 'First counted column of the stored frame, in pixels.';
COMMENT ON COLUMN photo_statistics.area_top IS 'First counted row of the stored frame, in pixels.';
COMMENT ON COLUMN photo_statistics.area_width IS 'Counted columns, in pixels: the active area within the default crop.';
COMMENT ON COLUMN photo_statistics.area_height IS 'Counted rows, in pixels.';
COMMENT ON COLUMN photo_statistics.limiting_plane IS 'The plane that clips first when exposure rises; NULL where no plane has light.';
COMMENT ON COLUMN photo_statistics.headroom_ev IS 'EV by which exposure could rise before that plane''s 99.9th percentile clips.';
COMMENT ON COLUMN photo_statistics.green_ratio IS 'Mean of green1 over mean of green2, black subtracted; no unit.';
COMMENT ON COLUMN photo_statistics.green_local_difference IS '95th percentile over blocks of 16x16 pixels of the greens'' difference over their mean; no unit.';
COMMENT ON COLUMN photo_statistics.grey_world_neutral IS 'Unclipped means of red, green, blue, black subtracted, the largest 1: a camera neutral.';
COMMENT ON COLUMN photo_statistics.white_patch_neutral IS 'The same of the 99th percentiles of what is not clipped.';
COMMENT ON COLUMN photo_statistics.as_shot_neutral IS 'AsShotNeutral (50728) as stored; NULL where the file has none.';
COMMENT ON COLUMN photo_statistics.linearization_sha256 IS 'The LinearizationTable in linearization; NULL where stored codes are levels.';

CREATE TABLE plane_statistics (
  job_id bigint NOT NULL,
  output_id text NOT NULL,
  measured_at timestamptz NOT NULL,
  batch_id bigint NOT NULL,
  plane text NOT NULL,
  samples bigint NOT NULL,
  black double precision NOT NULL,
  white double precision NOT NULL,
  minimum integer NOT NULL,
  maximum integer NOT NULL,
  mean double precision NOT NULL,
  sigma double precision NOT NULL,
  mean_ev double precision,
  p0_01 integer NOT NULL,
  p0_1 integer NOT NULL,
  p1 integer NOT NULL,
  p5 integer NOT NULL,
  p25 integer NOT NULL,
  p50 integer NOT NULL,
  p75 integer NOT NULL,
  p95 integer NOT NULL,
  p99 integer NOT NULL,
  p99_9 integer NOT NULL,
  p99_99 integer NOT NULL,
  clipped bigint NOT NULL,
  saturation_level integer,
  saturated bigint,
  underexposed bigint NOT NULL,
  headroom_ev double precision,
  masked_samples bigint,
  masked_mean double precision,
  masked_sigma double precision,
  noise_slope double precision,
  noise_offset double precision,
  declared_noise_slope double precision,
  declared_noise_offset double precision,
  dynamic_range_ev double precision,
  unit_snr_signal double precision,
  snr_18 double precision,
  ev_counts bigint[] NOT NULL,
  ev_clipped bigint NOT NULL,
  ev_deeper bigint NOT NULL,
  ev_not_positive bigint NOT NULL,
  PRIMARY KEY (job_id, output_id, plane, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX plane_statistics_batch ON plane_statistics (batch_id);
COMMENT ON TABLE plane_statistics IS 'One row for each plane of a photo: red, green1 (in the rows of red), green2, blue; green for LinearRaw; gray for monochrome.';
COMMENT ON COLUMN plane_statistics.job_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_statistics.output_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_statistics.measured_at IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_statistics.batch_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_statistics.plane IS 'red, green1, green2, blue, green or gray.';
COMMENT ON COLUMN plane_statistics.samples IS 'Samples of the plane in the area.';
COMMENT ON COLUMN plane_statistics.black IS 'Declared black level, in levels: the mean over the plane where it varies.';
COMMENT ON COLUMN plane_statistics.white IS 'Declared white level, in levels.';
COMMENT ON COLUMN plane_statistics.minimum IS 'Lowest level.';
COMMENT ON COLUMN plane_statistics.maximum IS 'Highest level.';
COMMENT ON COLUMN plane_statistics.mean IS 'Mean, in levels, black not subtracted.';
COMMENT ON COLUMN plane_statistics.sigma IS 'Standard deviation of the samples, in levels.';
COMMENT ON COLUMN plane_statistics.mean_ev IS 'log2 of (mean - black) / (white - black), in EV, 0 or less below white; NULL without light.';
COMMENT ON COLUMN plane_statistics.p0_01 IS 'Lowest level at or below which 0.01 % of the samples lie; likewise the other percentiles.';
COMMENT ON COLUMN plane_statistics.p0_1 IS '0.1th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p1 IS '1st percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p5 IS '5th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p25 IS '25th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p50 IS 'Median, in levels.';
COMMENT ON COLUMN plane_statistics.p75 IS '75th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p95 IS '95th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p99 IS '99th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p99_9 IS '99.9th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.p99_99 IS '99.99th percentile, in levels.';
COMMENT ON COLUMN plane_statistics.clipped IS 'Samples at the declared white level or above.';
COMMENT ON COLUMN plane_statistics.saturation_level IS 'Level at which samples pile up at the top; NULL where they don''t.';
COMMENT ON COLUMN plane_statistics.saturated IS 'Samples at saturation_level or above; NULL where there is none.';
COMMENT ON COLUMN plane_statistics.underexposed IS 'Samples less than 2^-8 of the way from black to white.';
COMMENT ON COLUMN plane_statistics.headroom_ev IS 'EV by which exposure could rise before the 99.9th percentile clips; NULL without light.';
COMMENT ON COLUMN plane_statistics.masked_samples IS 'Masked photosites of the plane; NULL without any.';
COMMENT ON COLUMN plane_statistics.masked_mean IS 'Their mean, in levels: what black should be.';
COMMENT ON COLUMN plane_statistics.masked_sigma IS 'Their standard deviation, in levels.';
COMMENT ON COLUMN plane_statistics.noise_slope IS 'S of the noise fit: variance = S signal + O, signal 0 at black and 1 at white; NULL where nothing could be fitted.';
COMMENT ON COLUMN plane_statistics.noise_offset IS 'O of the noise fit.';
COMMENT ON COLUMN plane_statistics.declared_noise_slope IS 'S of NoiseProfile (51041); NULL where the file has none.';
COMMENT ON COLUMN plane_statistics.declared_noise_offset IS 'O of NoiseProfile.';
COMMENT ON COLUMN plane_statistics.dynamic_range_ev IS 'log2(1 / sqrt(O)) of the fit, in EV: engineering dynamic range.';
COMMENT ON COLUMN plane_statistics.unit_snr_signal IS 'Signal that equals its noise, 0 to 1.';
COMMENT ON COLUMN plane_statistics.snr_18 IS 'Signal over noise at a signal of 0.18; no unit.';
COMMENT ON COLUMN plane_statistics.ev_counts IS 'Samples in each third of an EV below white; element k: more than (k-1)/3 and at most k/3 EV below.';
COMMENT ON COLUMN plane_statistics.ev_clipped IS 'Samples at white or above.';
COMMENT ON COLUMN plane_statistics.ev_deeper IS 'Samples above black, more than 16 EV below white.';
COMMENT ON COLUMN plane_statistics.ev_not_positive IS 'Samples at black or below.';

CREATE TABLE plane_histogram (
  job_id bigint NOT NULL,
  output_id text NOT NULL,
  measured_at timestamptz NOT NULL,
  batch_id bigint NOT NULL,
  plane text NOT NULL,
  first_level integer NOT NULL,
  level_count integer NOT NULL,
  occupied bytea,
  counts bytea NOT NULL,
  bins integer[],
  PRIMARY KEY (job_id, output_id, plane, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX plane_histogram_batch ON plane_histogram (batch_id);
COMMENT ON TABLE plane_histogram IS 'Exact histograms of stored codes; histogram_levels takes them apart, linearized_levels brings them behind the LinearizationTable.';
COMMENT ON COLUMN plane_histogram.job_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_histogram.output_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_histogram.measured_at IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_histogram.batch_id IS 'As in photo_statistics.';
COMMENT ON COLUMN plane_histogram.plane IS 'As in plane_statistics.';
COMMENT ON COLUMN plane_histogram.first_level IS 'Lowest stored code that occurs.';
COMMENT ON COLUMN plane_histogram.level_count IS 'Codes from the lowest to the highest that occurs.';
COMMENT ON COLUMN plane_histogram.occupied IS 'A bit for each code from first_level on, get_bit''s order: whether it occurs; NULL where counts has every code.';
COMMENT ON COLUMN plane_histogram.counts IS 'Counts in blocks of 64: a byte (bits 0 to 5: width w; 6 and 7: bytes of the lowest count, less one), the lowest count, then what each count is more, w bits each.';
COMMENT ON COLUMN plane_histogram.bins IS 'Counts of bins of equal width from black to white, where the recipe asks for them (histogramBins); the first has also what lies below, the last what lies above.';

-- LinearizationTables, each once.
CREATE TABLE linearization (
  sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  levels integer[] NOT NULL
);
COMMENT ON TABLE linearization IS 'LinearizationTables (50712) of the photos in photo_statistics.';
COMMENT ON COLUMN linearization.sha256 IS 'SHA-256 of the levels as 16-bit numbers, the high byte first.';
COMMENT ON COLUMN linearization.levels IS 'Level of each stored code, code 0 first; codes past the end have the last level.';

-- Makes the month partitions of all partitioned tables, as before of attempt alone.
CREATE OR REPLACE FUNCTION ensure_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT SET timezone TO 'UTC' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', clock_timestamp());
  first_day timestamptz;
  parent text;
  name text;
BEGIN
  FOREACH parent IN ARRAY
    ARRAY['attempt', 'photo_statistics', 'plane_statistics', 'plane_histogram']
  LOOP
    FOR number IN 0..months_ahead LOOP
      first_day := this_month + make_interval(months => number);
      name := parent || '_' || to_char(first_day, 'YYYY_MM');
      IF to_regclass(name) IS NULL THEN
        -- Workers that start together ask together.
        PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.partition', 0));
        EXECUTE format(
          'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          name, parent, first_day, first_day + interval '1 month');
      END IF;
    END LOOP;
  END LOOP;
END
$$;

SELECT ensure_partitions(3);

-- Exif's date as a timestamp; NULL for what is none, such as all zeros.
CREATE FUNCTION exif_timestamp(written text) RETURNS timestamp
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF written !~ '^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$' THEN RETURN NULL; END IF;
  RETURN make_timestamp(
    substr(written, 1, 4)::integer, substr(written, 6, 2)::integer, substr(written, 9, 2)::integer,
    substr(written, 12, 2)::integer, substr(written, 15, 2)::integer,
    substr(written, 18, 2)::integer);
EXCEPTION WHEN datetime_field_overflow THEN RETURN NULL;
END
$$;

-- A path as text: as it is where it is UTF-8 (RFC 3629), else with its other bytes as \ooo.
CREATE FUNCTION display_path(path bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN strpos(encode(path, 'escape'), '\') = 0 THEN encode(path, 'escape')
  WHEN encode(path, 'hex') ~ ('^([0-7].|(c[2-9a-f]|d.)[89ab].|e0[ab].[89ab].|(e[1-9a-cef])([89ab].){2}'
    || '|ed[89].[89ab].|f0[9ab].([89ab].){2}|f[1-3]([89ab].){3}|f48.([89ab].){2})*$')
    THEN convert_from(path, 'UTF8')
  ELSE encode(path, 'escape')
END;

-- The folder of a path; empty for a name alone.
CREATE FUNCTION display_folder(path text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(substring(path FROM '^(.*)/[^/]*$'), '');

-- The codes that occur and how many samples have each, from the columns of plane_histogram.
--
-- The columns lie outside the row: || makes them values of memory, which is not read anew for each byte.
CREATE FUNCTION histogram_levels(
  first_level integer, level_count integer, occupied bytea, counts bytea
) RETURNS TABLE (level integer, samples bigint)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 4096 AS $$
DECLARE
  packed bytea := counts || ''::bytea;
  bits varbit := ('x' || encode(packed, 'hex'))::varbit;
  mask bytea := occupied || ''::bytea;
  levels integer[];
  entries integer := level_count;
  place integer := 0;
  header integer;
  width integer;
  lowest bigint;
  remaining integer;
  widths integer[] := '{}';
  places integer[] := '{}';
  lowests bigint[] := '{}';
BEGIN
  IF mask IS NOT NULL THEN
    levels := ARRAY(
      SELECT first_level + i FROM generate_series(0, level_count - 1) AS i
      WHERE get_bit(mask, i) = 1);
    entries := cardinality(levels);
  END IF;
  remaining := entries;
  WHILE remaining > 0 LOOP
    header := get_byte(packed, place);
    width := header & 63;
    lowest := 0;
    place := place + 1;
    FOR i IN 0..header >> 6 LOOP
      lowest := lowest * 256 + get_byte(packed, place);
      place := place + 1;
    END LOOP;
    widths := widths || width;
    places := places || 8 * place;
    lowests := lowests || lowest;
    place := place + (width * least(remaining, 64) + 7) / 8;
    remaining := remaining - 64;
  END LOOP;
  RETURN QUERY
    SELECT CASE WHEN levels IS NULL THEN first_level + entry.i ELSE levels[entry.i + 1] END,
      entry.samples
    FROM (
      SELECT 64 * (block.number::integer - 1) + k AS i,
        block.lowest + CASE WHEN block.width = 0 THEN 0 ELSE
          substring(bits FROM block.place + k * block.width + 1 FOR block.width)::bigint
        END AS samples
      FROM unnest(lowests, widths, places) WITH ORDINALITY AS block (lowest, width, place, number)
      CROSS JOIN generate_series(0, 63) AS k
      WHERE 64 * (block.number::integer - 1) + k < entries
    ) AS entry WHERE entry.samples > 0;
END
$$;

-- The levels behind a LinearizationTable and how many samples have each; without one, the codes.
CREATE FUNCTION linearized_levels(
  first_level integer, level_count integer, occupied bytea, counts bytea,
  linearization_sha256 bytea
) RETURNS TABLE (level integer, samples bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 4096 SET search_path FROM CURRENT AS $$
DECLARE
  table_levels integer[];
  last integer;
BEGIN
  IF linearization_sha256 IS NULL THEN
    RETURN QUERY SELECT h.level, h.samples
      FROM histogram_levels(first_level, level_count, occupied, counts) AS h;
    RETURN;
  END IF;
  SELECT l.levels, cardinality(l.levels) INTO STRICT table_levels, last
  FROM linearization AS l WHERE l.sha256 = linearization_sha256;
  RETURN QUERY
    SELECT table_levels[least(h.level + 1, last)], sum(h.samples)::bigint
    FROM histogram_levels(first_level, level_count, occupied, counts) AS h
    GROUP BY 1;
END
$$;

-- The sum of a batch's histograms: samples by plane and level; of stored codes, or behind each
-- photo's LinearizationTable; of all photos, or of at most so many that are spread evenly over the batch.
CREATE FUNCTION batch_histogram(
  batch bigint, linearized boolean DEFAULT false, maximum_photos integer DEFAULT NULL
) RETURNS TABLE (plane text, level integer, samples bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
  chosen bigint[];
BEGIN
  IF maximum_photos IS NOT NULL THEN
    chosen := ARRAY(
      SELECT n.job_id FROM (
        SELECT p.job_id, row_number() OVER (ORDER BY p.job_id) - 1 AS place,
          count(*) OVER () AS total
        FROM photo_statistics AS p WHERE p.batch_id = batch
      ) AS n
      WHERE n.place % ((n.total + maximum_photos - 1) / maximum_photos) = 0);
  END IF;
  IF linearized THEN
    RETURN QUERY
      SELECT h.plane, l.level, sum(l.samples)::bigint
      FROM plane_histogram AS h
      JOIN photo_statistics AS p USING (job_id, output_id, measured_at)
      CROSS JOIN LATERAL linearized_levels(
        h.first_level, h.level_count, h.occupied, h.counts, p.linearization_sha256) AS l
      WHERE h.batch_id = batch AND (chosen IS NULL OR h.job_id = ANY (chosen))
      GROUP BY h.plane, l.level ORDER BY h.plane, l.level;
  ELSE
    RETURN QUERY
      SELECT h.plane, l.level, sum(l.samples)::bigint
      FROM plane_histogram AS h
      CROSS JOIN LATERAL histogram_levels(
        h.first_level, h.level_count, h.occupied, h.counts) AS l
      WHERE h.batch_id = batch AND (chosen IS NULL OR h.job_id = ANY (chosen))
      GROUP BY h.plane, l.level ORDER BY h.plane, l.level;
  END IF;
END
$$;

-- The sum of a batch's EV histograms: samples by plane and third of an EV below white.
CREATE FUNCTION batch_exposure(batch bigint)
RETURNS TABLE (plane text, ev double precision, samples bigint)
LANGUAGE sql STABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT s.plane, -c.ordinal / 3.0::double precision, sum(c.samples)::bigint
  FROM plane_statistics AS s
  CROSS JOIN LATERAL unnest(s.ev_counts) WITH ORDINALITY AS c (samples, ordinal)
  WHERE s.batch_id = batch GROUP BY s.plane, c.ordinal ORDER BY s.plane, c.ordinal
$$;

-- A plane's histogram in bins of equal width from black to white, from the exact one.
CREATE FUNCTION plane_bins(job bigint, output text, plane_name text, bin_count integer)
RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT array_agg(coalesce(binned.samples, 0) ORDER BY bin)
  FROM generate_series(0, bin_count - 1) AS bin
  LEFT JOIN (
    SELECT least(bin_count - 1, greatest(0,
        floor((l.level - s.black) / (s.white - s.black) * bin_count)))::integer AS bin,
      sum(l.samples)::bigint AS samples
    FROM plane_histogram AS h
    JOIN photo_statistics AS p USING (job_id, output_id, measured_at)
    JOIN plane_statistics AS s USING (job_id, output_id, plane, measured_at)
    CROSS JOIN LATERAL linearized_levels(
      h.first_level, h.level_count, h.occupied, h.counts, p.linearization_sha256) AS l
    WHERE h.job_id = job AND h.output_id = output AND h.plane = plane_name
    GROUP BY 1
  ) AS binned USING (bin)
$$;

-- How much is clipped, shoot by shoot: a folder of a batch.
CREATE VIEW clipping_per_shoot AS
WITH plane AS (
  SELECT job_id, output_id, measured_at,
    max(greatest(clipped, coalesce(saturated, 0))::double precision / samples) AS clipped,
    max(underexposed::double precision / samples) AS underexposed
  FROM plane_statistics GROUP BY job_id, output_id, measured_at
)
SELECT p.batch_id, p.input_root, display_folder(p.path) AS folder,
  count(*) AS photos,
  count(*) FILTER (WHERE plane.clipped > 0.01) AS clipped_photos,
  avg(plane.clipped) AS mean_clipped,
  max(plane.clipped) AS worst_clipped,
  avg(plane.underexposed) AS mean_underexposed,
  avg(p.headroom_ev) AS mean_headroom_ev
FROM photo_statistics AS p
JOIN plane USING (job_id, output_id, measured_at)
GROUP BY p.batch_id, p.input_root, display_folder(p.path);
COMMENT ON VIEW clipping_per_shoot IS 'How much is clipped, by folder of a batch; a photo''s share is that of its worst plane.';
COMMENT ON COLUMN clipping_per_shoot.batch_id IS 'The batch.';
COMMENT ON COLUMN clipping_per_shoot.input_root IS 'The root of the inputs'' paths.';
COMMENT ON COLUMN clipping_per_shoot.folder IS 'Folder of the inputs.';
COMMENT ON COLUMN clipping_per_shoot.photos IS 'Photos measured.';
COMMENT ON COLUMN clipping_per_shoot.clipped_photos IS 'Photos of which more than 1 % is clipped.';
COMMENT ON COLUMN clipping_per_shoot.mean_clipped IS 'Mean share of samples at the declared or the detected saturation level, 0 to 1.';
COMMENT ON COLUMN clipping_per_shoot.worst_clipped IS 'The largest such share.';
COMMENT ON COLUMN clipping_per_shoot.mean_underexposed IS 'Mean share of samples more than 8 EV below white, 0 to 1.';
COMMENT ON COLUMN clipping_per_shoot.mean_headroom_ev IS 'Mean EV by which exposure could have risen.';

-- How exposure moves from photo to photo of a camera.
CREATE VIEW exposure_drift AS
WITH green AS (
  SELECT job_id, output_id, measured_at, avg(mean_ev) AS mean_ev
  FROM plane_statistics WHERE plane IN ('green1', 'green2', 'green', 'gray')
  GROUP BY job_id, output_id, measured_at
)
SELECT p.batch_id, p.camera, p.captured_at, p.job_id, p.path,
  green.mean_ev,
  green.mean_ev - lag(green.mean_ev) OVER series AS step_ev,
  green.mean_ev - avg(green.mean_ev) OVER (series ROWS BETWEEN 7 PRECEDING AND 7 FOLLOWING)
    AS drift_ev,
  -- Lenses without contacts and old cameras write 0.
  CASE WHEN p.f_number > 0 AND p.exposure_time > 0 AND p.iso > 0 THEN
    log(2, (p.f_number ^ 2 / p.exposure_time * 100 / p.iso)::numeric)::double precision
  END AS exposure_value
FROM photo_statistics AS p
JOIN green USING (job_id, output_id, measured_at)
WHERE p.captured_at IS NOT NULL
WINDOW series AS (
  PARTITION BY p.batch_id, p.camera ORDER BY p.captured_at, p.input_path, p.job_id, p.output_id);
COMMENT ON VIEW exposure_drift IS 'Exposure of a camera''s photos in the order of their capture, by the mean of green.';
COMMENT ON COLUMN exposure_drift.batch_id IS 'The batch.';
COMMENT ON COLUMN exposure_drift.camera IS 'The camera.';
COMMENT ON COLUMN exposure_drift.captured_at IS 'The camera''s local time.';
COMMENT ON COLUMN exposure_drift.job_id IS 'The job that measured the photo.';
COMMENT ON COLUMN exposure_drift.path IS 'The input''s path under its root.';
COMMENT ON COLUMN exposure_drift.mean_ev IS 'Mean of green (gray) below white, in EV.';
COMMENT ON COLUMN exposure_drift.step_ev IS 'Change from the photo before, in EV.';
COMMENT ON COLUMN exposure_drift.drift_ev IS 'Distance from the mean of the 15 photos around it, in EV.';
COMMENT ON COLUMN exposure_drift.exposure_value IS 'Exposure value for ISO 100 of the camera''s settings, log2(N^2 / t * 100 / ISO); NULL where Exif lacks one or has 0.';

-- What noise a camera's sensitivities have, and what its files state.
CREATE VIEW iso_noise AS
SELECT p.camera, p.iso, s.plane, count(*) AS photos,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.noise_slope) AS noise_slope,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.noise_offset) AS noise_offset,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.declared_noise_slope) AS declared_noise_slope,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.declared_noise_offset) AS declared_noise_offset,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.snr_18) AS snr_18,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY s.dynamic_range_ev) AS dynamic_range_ev
FROM photo_statistics AS p
JOIN plane_statistics AS s USING (job_id, output_id, measured_at)
-- Variance that falls with the signal is that of a picture, not of a sensor.
WHERE s.noise_slope > 0 AND p.iso IS NOT NULL
GROUP BY p.camera, p.iso, s.plane;
COMMENT ON VIEW iso_noise IS 'Measured noise by camera, sensitivity and plane: medians over photos.';
COMMENT ON COLUMN iso_noise.camera IS 'The camera.';
COMMENT ON COLUMN iso_noise.iso IS 'ISO speed.';
COMMENT ON COLUMN iso_noise.plane IS 'The plane.';
COMMENT ON COLUMN iso_noise.photos IS 'Photos whose noise could be fitted and rises with the signal.';
COMMENT ON COLUMN iso_noise.noise_slope IS 'Median S.';
COMMENT ON COLUMN iso_noise.noise_offset IS 'Median O.';
COMMENT ON COLUMN iso_noise.declared_noise_slope IS 'Median S of NoiseProfile; NULL where no file has one.';
COMMENT ON COLUMN iso_noise.declared_noise_offset IS 'Median O of NoiseProfile.';
COMMENT ON COLUMN iso_noise.snr_18 IS 'Median signal-to-noise ratio at a signal of 0.18.';
COMMENT ON COLUMN iso_noise.dynamic_range_ev IS 'Median engineering dynamic range, in EV.';

-- Cameras whose files state another white level than the one at which their sensors stop.
CREATE VIEW wrong_white_level AS
SELECT * FROM (
  SELECT p.camera, p.iso, s.plane, s.white, count(*) AS photos,
    count(s.saturation_level) AS saturated_photos,
    mode() WITHIN GROUP (ORDER BY s.saturation_level) AS saturation_level,
    max(s.maximum) AS maximum,
    (s.white - mode() WITHIN GROUP (ORDER BY s.saturation_level))
      / (s.white - avg(s.black)) AS excess
  FROM photo_statistics AS p
  JOIN plane_statistics AS s USING (job_id, output_id, measured_at)
  GROUP BY p.camera, p.iso, s.plane, s.white
) AS found
WHERE abs(excess) > 0.01 OR maximum > white;
COMMENT ON VIEW wrong_white_level IS 'Cameras whose white level is more than 1 % of the range off the level where samples pile up, or that have samples above it.';
COMMENT ON COLUMN wrong_white_level.camera IS 'The camera.';
COMMENT ON COLUMN wrong_white_level.iso IS 'ISO speed.';
COMMENT ON COLUMN wrong_white_level.plane IS 'The plane.';
COMMENT ON COLUMN wrong_white_level.white IS 'The declared white level, in levels.';
COMMENT ON COLUMN wrong_white_level.photos IS 'Photos measured.';
COMMENT ON COLUMN wrong_white_level.saturated_photos IS 'Photos in which samples pile up at the top.';
COMMENT ON COLUMN wrong_white_level.saturation_level IS 'The level where they do, of most photos.';
COMMENT ON COLUMN wrong_white_level.maximum IS 'The highest level of any photo.';
COMMENT ON COLUMN wrong_white_level.excess IS 'Declared white above the saturation level, as a share of the range from black to white.';

-- What rawmill export statistics writes: one row for each photo and plane.
CREATE VIEW exported_statistics AS
SELECT p.batch_id, p.job_id, p.output_id, p.input_root, p.path,
  p.make, p.model, p.camera, p.lens, p.iso, p.exposure_time, p.f_number, p.focal_length,
  p.captured_at, p.layout, p.bits_per_sample, p.sample_format, p.levels_per_unit, p.area_width,
  p.area_height, p.limiting_plane, p.green_ratio, p.green_local_difference,
  s.plane, s.samples, s.black, s.white, s.minimum, s.maximum, s.mean, s.sigma, s.mean_ev,
  s.p0_01, s.p0_1, s.p1, s.p5, s.p25, s.p50, s.p75, s.p95, s.p99, s.p99_9, s.p99_99,
  s.clipped, s.saturation_level, s.saturated, s.underexposed, s.headroom_ev,
  s.masked_samples, s.masked_mean, s.masked_sigma, s.noise_slope, s.noise_offset,
  s.declared_noise_slope, s.declared_noise_offset, s.dynamic_range_ev, s.unit_snr_signal, s.snr_18
FROM photo_statistics AS p
JOIN plane_statistics AS s USING (job_id, output_id, measured_at);
COMMENT ON VIEW exported_statistics IS 'One row for each photo and plane: the columns of photo_statistics and plane_statistics without arrays.';
