DROP VIEW exported_statistics, wrong_white_level, iso_noise, exposure_drift, clipping_per_shoot;
DROP FUNCTION plane_bins, batch_exposure, batch_histogram, linearized_levels, histogram_levels,
  display_folder, display_path, exif_timestamp;
CREATE OR REPLACE FUNCTION ensure_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT SET timezone TO 'UTC' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', clock_timestamp());
  first_day timestamptz;
  name text;
BEGIN
  FOR number IN 0..months_ahead LOOP
    first_day := this_month + make_interval(months => number);
    name := 'attempt_' || to_char(first_day, 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      -- Workers that start together ask together.
      PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.partition', 0));
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS %I PARTITION OF attempt FOR VALUES FROM (%L) TO (%L)',
        name, first_day, first_day + interval '1 month');
    END IF;
  END LOOP;
END
$$;
DROP TABLE linearization, plane_histogram, plane_statistics, photo_statistics;
