-- What happened to batches and workers, and who was told.

-- Events by month; a month is dropped as a whole. An event is never written for a single job.
CREATE SEQUENCE event_id AS bigint;
CREATE TABLE event (
  id bigint NOT NULL DEFAULT nextval('event_id'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- batchCreated, batchPaused, workerLost …
  kind text NOT NULL,
  -- What it is about; NULL where it is about something else.
  batch_id bigint,
  worker_id bigint,
  host text,
  -- Who did it: a user, or rawmill itself.
  actor text NOT NULL DEFAULT 'rawmill',
  -- One sentence for people.
  message text NOT NULL DEFAULT '',
  detail jsonb NOT NULL DEFAULT '{}',
  -- Whether listeners and webhooks are told.
  is_notable boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX event_batch ON event (batch_id, id);
CREATE INDEX event_notable ON event (at, id) WHERE is_notable;

-- Those who are told of notable events one by one, such as a webhook, from their first question on.
CREATE TABLE receiver (
  name text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Which event a receiver was told, at least once, or is to be told again.
CREATE TABLE delivery (
  receiver text NOT NULL,
  event_id bigint NOT NULL,
  event_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When it is tried next, or again if the sender that took it is never heard of.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  -- Why it was given up, or failed the last time.
  error text,
  given_up_at timestamptz,
  PRIMARY KEY (receiver, event_id)
);
CREATE INDEX delivery_due ON delivery (receiver, due_at)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;

ALTER TABLE batch
  ADD COLUMN pause_reason text,
  ADD COLUMN paused_by text,
  ADD COLUMN paused_at timestamptz,
  -- Failures before this count for no pause: who resumes a batch has seen them.
  ADD COLUMN resumed_at timestamptz,
  -- The share of failed among ended jobs that is worth a word, and when it was passed.
  ADD COLUMN failure_share double precision NOT NULL DEFAULT 0.1 CHECK (failure_share > 0),
  ADD COLUMN failure_share_passed_at timestamptz;

-- Makes the month partitions of all partitioned tables, from the current month to months_ahead later
-- (UTC).
CREATE OR REPLACE FUNCTION ensure_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET timezone TO 'UTC' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', clock_timestamp());
  first_day timestamptz;
  parent text;
  name text;
BEGIN
  FOR parent IN
    SELECT c.relname FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
    WHERE c.relnamespace = current_schema::regnamespace ORDER BY c.relname
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

-- Writes an event and gives its id. A notable one is announced on the channel that is named like the
-- schema, with its id, kind, batch and message; call it so only where it costs no job a commit.
CREATE FUNCTION record_event(
  new_kind text, batch bigint, worker bigint, new_host text, new_actor text, new_message text,
  new_detail jsonb DEFAULT '{}', notable boolean DEFAULT false
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  new_id bigint;
BEGIN
  -- Twice: after months without a worker this month has no partition yet.
  FOR turn IN 1..2 LOOP
    BEGIN
      INSERT INTO event (kind, batch_id, worker_id, host, actor, message, detail, is_notable)
      VALUES (new_kind, batch, worker, new_host, new_actor, new_message, new_detail, notable)
      RETURNING id INTO new_id;
      EXIT;
    EXCEPTION WHEN check_violation THEN
      IF turn = 2 THEN RAISE; END IF;
      PERFORM ensure_partitions(3);
    END;
  END LOOP;
  IF notable THEN
    -- A payload has at most 8,000 bytes; a character takes up to 6 here.
    PERFORM pg_notify(current_schema(), jsonb_build_object(
      'event', new_id, 'kind', new_kind, 'batch', batch,
      'name', (SELECT left(name, 200) FROM batch AS b WHERE b.id = record_event.batch),
      'message', left(new_message, 800))::text);
  END IF;
  RETURN new_id;
END
$$;

CREATE FUNCTION record_batch_created() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM record_event('batchCreated', NEW.id, NULL, NULL, NEW.owner, '',
    jsonb_build_object('name', NEW.name));
  RETURN NULL;
END
$$;
CREATE TRIGGER batch_created AFTER INSERT ON batch
  FOR EACH ROW EXECUTE FUNCTION record_batch_created();

-- Heartbeats do not set the state, and so do not come here.
CREATE FUNCTION record_worker_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  new_kind text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    new_kind := 'workerStarted';
  ELSIF NEW.state = OLD.state THEN
    RETURN NULL;
  ELSIF NEW.state = 1 THEN
    new_kind := 'workerDraining';
  ELSIF OLD.state = 1 AND NOT EXISTS (SELECT FROM lease WHERE worker_id = NEW.id) THEN
    new_kind := 'workerEnded';
  ELSE
    -- It did not drain, or left jobs behind.
    new_kind := 'workerLost';
  END IF;
  PERFORM record_event(new_kind, NULL, NEW.id, NEW.host, 'rawmill', '',
    jsonb_build_object('pid', NEW.pid, 'version', NEW.version));
  RETURN NULL;
END
$$;
CREATE TRIGGER worker_changed AFTER INSERT OR UPDATE OF state ON worker
  FOR EACH ROW EXECUTE FUNCTION record_worker_change();

-- Has no more of an open batch's jobs claimed, and says whether it was open.
CREATE FUNCTION pause_batch(batch bigint, actor text, reason text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE batch AS b SET state = 1, pause_reason = nullif(reason, ''), paused_by = actor,
    paused_at = clock_timestamp()
  WHERE b.id = pause_batch.batch AND b.state = 0;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_event('batchPaused', batch, NULL, NULL, actor, reason);
  RETURN true;
END
$$;

-- Has a paused batch's jobs claimed again, and says whether it was paused.
CREATE FUNCTION resume_batch(batch bigint, actor text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE batch AS b SET state = 0, pause_reason = NULL, paused_by = NULL, paused_at = NULL,
    resumed_at = clock_timestamp()
  WHERE b.id = resume_batch.batch AND b.state = 1;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_event('batchResumed', batch, NULL, NULL, actor, '');
  RETURN true;
END
$$;

-- Ends a batch: its waiting jobs are swept next; says whether it was open or paused.
CREATE FUNCTION cancel_batch(batch bigint, actor text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE batch AS b SET state = 2, pause_reason = NULL, paused_by = NULL, paused_at = NULL
  WHERE b.id = cancel_batch.batch AND b.state < 2;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM record_event('batchCancelled', batch, NULL, NULL, actor, '');
  RETURN true;
END
$$;

-- Finds, after the tally was folded, batches that have passed their failure share or are finished, and
-- tells of each once: what it finds it also sets, in the one transaction that keeps house.
--
-- Fewer than 10 failures are no share worth a word before the end.
CREATE FUNCTION close_batches() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  noticed record;
BEGIN
  FOR noticed IN
    UPDATE batch b SET failure_share_passed_at = clock_timestamp()
    FROM progress p
    WHERE p.batch_id = b.id AND b.finished_at IS NULL AND b.failure_share_passed_at IS NULL
      AND p.failed >= 10 AND p.failed > b.failure_share * (p.done + p.failed)
    RETURNING b.id, b.failure_share, p.done, p.failed, b.total
  LOOP
    PERFORM record_event('failureSharePassed', noticed.id, NULL, NULL, 'rawmill',
      format('%s of %s jobs that ended have failed, more than %s %%', noticed.failed,
        noticed.done + noticed.failed, noticed.failure_share * 100),
      jsonb_build_object('done', noticed.done, 'failed', noticed.failed, 'total', noticed.total,
        'failureShare', noticed.failure_share),
      true);
  END LOOP;
  FOR noticed IN
    UPDATE batch b SET
      state = CASE WHEN b.state = 2 THEN 2 ELSE 3 END, has_ready = false,
      pause_reason = NULL, paused_by = NULL, paused_at = NULL,
      finished_at = clock_timestamp()
    FROM batch open LEFT JOIN progress p ON p.batch_id = open.id
    WHERE b.id = open.id AND open.finished_at IS NULL AND b.finished_at IS NULL AND b.sealed
      AND b.total = coalesce(p.done + p.failed + p.cancelled + p.skipped, 0)
    RETURNING b.id, b.name, b.state, b.total, coalesce(p.done, 0) AS done,
      coalesce(p.failed, 0) AS failed, coalesce(p.cancelled, 0) AS cancelled,
      coalesce(p.skipped, 0) AS skipped,
      extract(epoch FROM b.finished_at - b.created_at) AS seconds
  LOOP
    PERFORM record_event('batchFinished', noticed.id, NULL, NULL, 'rawmill',
      format('%s done, %s failed, %s cancelled', noticed.done + noticed.skipped, noticed.failed,
        noticed.cancelled),
      jsonb_build_object('name', noticed.name, 'isCancelled', noticed.state = 2,
        'total', noticed.total, 'done', noticed.done, 'failed', noticed.failed,
        'cancelled', noticed.cancelled, 'skipped', noticed.skipped,
        'seconds', round(noticed.seconds::numeric, 3)),
      -- A submission of which nothing was new has no jobs, and is no news.
      noticed.total > 0);
  END LOOP;
END
$$;

-- Takes notable events that a receiver was not told yet, the oldest first, for hold_seconds: what is not
-- reported as delivered or failed until then comes again. The first call only makes the receiver known.
CREATE FUNCTION take_deliveries(to_receiver text, most integer, hold_seconds integer)
RETURNS TABLE (
  id bigint, at timestamptz, kind text, batch_id bigint, worker_id bigint, host text, actor text,
  message text, detail jsonb, attempts integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO receiver (name) VALUES (to_receiver) ON CONFLICT DO NOTHING;
  INSERT INTO delivery (receiver, event_id, event_at)
  SELECT to_receiver, e.id, e.at
  FROM event e
  WHERE e.is_notable AND e.at >= (SELECT since FROM receiver WHERE name = to_receiver)
    AND NOT EXISTS (
      SELECT FROM delivery d WHERE d.receiver = to_receiver AND d.event_id = e.id)
  ORDER BY e.at, e.id LIMIT 1000
  ON CONFLICT DO NOTHING;
  RETURN QUERY
  WITH due AS (
    SELECT d.event_id FROM delivery d
    WHERE d.receiver = to_receiver AND d.delivered_at IS NULL AND d.given_up_at IS NULL
      AND d.due_at <= clock_timestamp()
    ORDER BY d.due_at, d.event_id LIMIT most FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE delivery d SET attempts = d.attempts + 1,
      due_at = clock_timestamp() + make_interval(secs => hold_seconds)
    FROM due WHERE d.receiver = to_receiver AND d.event_id = due.event_id
    RETURNING d.event_id, d.event_at, d.attempts
  )
  SELECT e.id, e.at, e.kind, e.batch_id, e.worker_id, e.host, e.actor, e.message, e.detail,
    t.attempts
  FROM taken t JOIN event e ON e.id = t.event_id AND e.at = t.event_at
  ORDER BY e.id;
END
$$;

-- Records how a delivery went: without an error it is done; with one it is tried again after
-- retry_seconds, or given up where these are NULL.
CREATE FUNCTION settle_delivery(
  to_receiver text, event bigint, new_error text, retry_seconds double precision
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE delivery SET
    delivered_at = CASE WHEN new_error IS NULL THEN clock_timestamp() END,
    error = new_error,
    given_up_at = CASE WHEN new_error IS NOT NULL AND retry_seconds IS NULL
      THEN clock_timestamp() END,
    due_at = CASE WHEN new_error IS NOT NULL AND retry_seconds IS NOT NULL
      THEN clock_timestamp() + make_interval(secs => retry_seconds) ELSE due_at END
  WHERE receiver = to_receiver AND event_id = event AND delivered_at IS NULL
$$;
