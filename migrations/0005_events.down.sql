DROP FUNCTION settle_delivery, take_deliveries, close_batches, cancel_batch, resume_batch,
  pause_batch;
DROP TRIGGER worker_changed ON worker;
DROP TRIGGER batch_created ON batch;
DROP FUNCTION record_worker_change, record_batch_created, record_event;
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
ALTER TABLE batch DROP COLUMN pause_reason, DROP COLUMN paused_by, DROP COLUMN paused_at,
  DROP COLUMN resumed_at, DROP COLUMN failure_share, DROP COLUMN failure_share_passed_at;
DROP TABLE delivery, receiver, event;
DROP SEQUENCE event_id;
