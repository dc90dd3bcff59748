-- What follows from failures: memory, pauses, hosts that are set aside. Retention.

-- Bytes of memory that the job's child must be allowed: raised when it ran out with less.
ALTER TABLE job ADD COLUMN memory_floor bigint NOT NULL DEFAULT 0;
CREATE INDEX job_heavy ON job (batch_id, memory_floor) WHERE ready AND memory_floor > 0;

-- What a worker allows a child, in bytes: with all slots at work, and at most. 0: it sets no limit, so
-- that no child of it is told that it has used up its share.
ALTER TABLE worker
  ADD COLUMN slot_memory bigint NOT NULL DEFAULT 0,
  ADD COLUMN memory bigint NOT NULL DEFAULT 0;

ALTER TABLE tally
  -- Whose work it was; NULL where it was no worker's.
  ADD COLUMN worker_id bigint,
  -- Attempts that failed as transient, for want of a resource, or with a crash.
  ADD COLUMN troubled bigint NOT NULL DEFAULT 0;

-- When the fold last saw a job done: a little later than it was.
ALTER TABLE progress ADD COLUMN last_done_at timestamptz;

-- The trouble of a batch, and of a time.
CREATE INDEX attempt_trouble_of_batch ON attempt (batch_id, at) WHERE class IN (2, 3, 5);
CREATE INDEX attempt_trouble ON attempt (at) WHERE class IN (2, 3, 5);

-- What the attempts of a host came to, by batch and hour: folded from the tally, and kept for a day.
CREATE TABLE host_count (
  host text NOT NULL,
  batch_id bigint NOT NULL,
  hour timestamptz NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  troubled bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (host, batch_id, hour)
) WITH (fillfactor = 50);

-- Hosts whose workers claim nothing, or nothing with one of their roots, until a time.
CREATE TABLE set_aside (
  host text NOT NULL,
  -- Empty: the whole host.
  root text NOT NULL DEFAULT '',
  reason text NOT NULL,
  -- Who did it: a user, or rawmill itself.
  actor text NOT NULL,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL,
  -- How often in a row: each time it is longer.
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (host, root)
);

-- When the hosts were judged last.
CREATE TABLE judgement (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  judged_at timestamptz NOT NULL
);
INSERT INTO judgement (judged_at) VALUES ('-infinity');

-- Folds what transactions added since the last time into progress and host_count, and pauses batches
-- whose jobs fail alike. One process at a time calls it.
CREATE FUNCTION fold_tally() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  troubled_batches bigint[];
BEGIN
  WITH taken AS (
    DELETE FROM tally RETURNING *
  ), folded AS (
    INSERT INTO progress AS p (
      batch_id, done, failed, cancelled, skipped, pixels, input_bytes, output_bytes, last_done_at)
    SELECT batch_id, sum(done), sum(failed), sum(cancelled), sum(skipped), sum(pixels),
      sum(input_bytes), sum(output_bytes), CASE WHEN sum(done) > 0 THEN clock_timestamp() END
    FROM taken GROUP BY batch_id
    ON CONFLICT (batch_id) DO UPDATE SET
      done = p.done + excluded.done, failed = p.failed + excluded.failed,
      cancelled = p.cancelled + excluded.cancelled, skipped = p.skipped + excluded.skipped,
      pixels = p.pixels + excluded.pixels, input_bytes = p.input_bytes + excluded.input_bytes,
      output_bytes = p.output_bytes + excluded.output_bytes,
      last_done_at = coalesce(excluded.last_done_at, p.last_done_at)
  ), counted AS (
    INSERT INTO host_count AS c (host, batch_id, hour, done, troubled)
    SELECT w.host, t.batch_id, date_trunc('hour', clock_timestamp()), sum(t.done), sum(t.troubled)
    FROM taken t JOIN worker w ON w.id = t.worker_id
    WHERE t.done > 0 OR t.troubled > 0
    GROUP BY w.host, t.batch_id
    ON CONFLICT (host, batch_id, hour) DO UPDATE SET
      done = c.done + excluded.done, troubled = c.troubled + excluded.troubled
  )
  SELECT array_agg(DISTINCT batch_id) INTO troubled_batches FROM taken WHERE troubled > 0;
  IF troubled_batches IS NOT NULL THEN
    PERFORM pause_failing(troubled_batches);
  END IF;
END
$$;

-- Pauses those of some open batches whose jobs fail alike: since its last done job, its last resumption
-- and its last failure of another kind, 20 jobs in at least 3 folders have failed with one code, in a
-- class that is not the input's fault.
--
-- A worker that was lost took its jobs with it whatever they were: that is no kind of failure. And one
-- host alone is not believed while others work on the batch: it may be the host.
CREATE FUNCTION pause_failing(batches bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  streak record;
  why text;
BEGIN
  FOR streak IN
    SELECT b.id, s.*
    FROM batch b LEFT JOIN progress p ON p.batch_id = b.id
    CROSS JOIN LATERAL (
      WITH recent AS MATERIALIZED (
        SELECT a.at, a.job_id, a.worker_id, a.class, a.code, a.message FROM attempt a
        WHERE a.batch_id = b.id AND a.class IN (2, 3, 5) AND a.code <> 'workerLost'
          AND a.at > greatest(b.resumed_at, p.last_done_at, '-infinity')
        ORDER BY a.at DESC LIMIT 200
      ), newest AS (
        SELECT class, code, message FROM recent ORDER BY at DESC LIMIT 1
      ), alike AS (
        SELECT r.* FROM recent r
        WHERE r.at > coalesce((
          SELECT max(o.at) FROM recent o, newest n WHERE (o.class, o.code) <> (n.class, n.code)),
          '-infinity')
      )
      SELECT count(DISTINCT a.job_id) AS jobs, count(DISTINCT w.host) AS hosts,
        min(w.host) AS host,
        count(DISTINCT (j.input_root, display_folder(display_path(j.input_path)))) AS folders,
        (SELECT code FROM newest) AS code, (SELECT class FROM newest) AS class,
        (SELECT message FROM newest) AS message
      FROM alike a JOIN job j ON j.id = a.job_id LEFT JOIN worker w ON w.id = a.worker_id
    ) s
    WHERE b.id = ANY (batches) AND b.state = 0 AND s.jobs >= 20 AND s.folders >= 3
      AND (s.hosts <> 1 OR NOT EXISTS (
        SELECT FROM lease l JOIN worker w ON w.id = l.worker_id
        WHERE l.batch_id = b.id AND w.host <> s.host))
  LOOP
    why := format('%s jobs in %s folders failed in a row with %s: %s', streak.jobs, streak.folders,
      streak.code, left(streak.message, 500));
    UPDATE batch SET state = 1, pause_reason = why, paused_by = 'rawmill',
      paused_at = clock_timestamp()
    WHERE id = streak.id AND state = 0;
    IF FOUND THEN
      PERFORM record_event('batchPaused', streak.id, NULL, NULL, 'rawmill', why,
        jsonb_build_object('code', streak.code, 'class', streak.class, 'jobs', streak.jobs,
          'folders', streak.folders), true);
    END IF;
  END LOOP;
END
$$;

-- What the hosts of the last hour came to on batches that more than one of them worked on; refuted:
-- jobs that failed there and were then done elsewhere.
CREATE FUNCTION host_evidence() RETURNS TABLE (
  host text, batch_id bigint, done bigint, troubled bigint, refuted bigint, is_live boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH counts AS (
    SELECT c.host, c.batch_id, sum(c.done)::bigint AS done, sum(c.troubled)::bigint AS troubled
    FROM host_count c WHERE c.hour >= date_trunc('hour', clock_timestamp()) - interval '1 hour'
    GROUP BY c.host, c.batch_id
  ), refuted AS (
    SELECT w.host, count(DISTINCT a.job_id) AS jobs
    FROM (
      SELECT at, job_id, attempt, worker_id FROM attempt
      WHERE class IN (2, 3, 5) AND at > statement_timestamp() - interval '1 hour'
      ORDER BY at DESC LIMIT 2000
    ) a JOIN worker w ON w.id = a.worker_id
    JOIN provenance p ON p.job_id = a.job_id AND p.attempt > a.attempt AND p.host <> w.host
    GROUP BY w.host
  )
  SELECT c.host, c.batch_id, c.done, c.troubled, coalesce(r.jobs, 0),
    EXISTS (SELECT FROM worker w WHERE w.host = c.host AND w.state = 0)
      AND NOT EXISTS (
        SELECT FROM set_aside x
        WHERE x.host = c.host AND x.root = '' AND x.until > clock_timestamp())
  FROM counts c LEFT JOIN refuted r ON r.host = c.host
  ORDER BY c.host, c.batch_id
$$;

-- Whether it is time to judge the hosts again, for one process in every interval.
CREATE FUNCTION begin_judgement(interval_seconds integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE judgement SET judged_at = clock_timestamp()
  WHERE only_row AND (
    judged_at <= clock_timestamp() - make_interval(secs => interval_seconds)
    -- The server's clock was set back.
    OR judged_at > clock_timestamp());
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM host_count WHERE hour < clock_timestamp() - interval '1 day';
  RETURN true;
END
$$;

-- Sets a host aside, or one of its roots: first for so many seconds, and twice as long each time that it
-- happens again within a day, up to most_seconds. Gives until when; NULL where it already is.
CREATE FUNCTION put_aside(
  aside_host text, aside_root text, why text, who text, seconds double precision,
  most_seconds double precision
) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  ends timestamptz;
BEGIN
  INSERT INTO set_aside AS s (host, root, reason, actor, until)
  VALUES (aside_host, aside_root, why, who, clock_timestamp() + make_interval(secs => seconds))
  ON CONFLICT (host, root) DO UPDATE SET
    reason = excluded.reason, actor = excluded.actor, since = clock_timestamp(),
    times = CASE WHEN s.until < clock_timestamp() - interval '1 day' THEN 1 ELSE s.times + 1 END,
    until = clock_timestamp() + make_interval(secs => least(most_seconds, seconds
      * CASE WHEN s.until < clock_timestamp() - interval '1 day' THEN 1
        ELSE 2 ^ least(s.times, 30) END))
  WHERE s.until <= clock_timestamp()
  RETURNING until INTO ends;
  IF ends IS NOT NULL THEN
    PERFORM record_event(CASE aside_root WHEN '' THEN 'hostSetAside' ELSE 'rootSetAside' END,
      NULL, NULL, aside_host, who, why,
      jsonb_build_object('root', nullif(aside_root, ''), 'until', ends));
  END IF;
  RETURN ends;
END
$$;

-- Lets a host, or one of its roots, work again; says whether it was set aside.
CREATE FUNCTION allow_host(aside_host text, aside_root text, who text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- The row goes, so that its next time is the first again.
  DELETE FROM set_aside
  WHERE host = aside_host AND root = aside_root AND until > clock_timestamp();
  IF NOT FOUND THEN RETURN false; END IF;
  -- What it had done wrong is forgotten.
  IF aside_root = '' THEN
    DELETE FROM host_count WHERE host = aside_host;
  END IF;
  PERFORM record_event('hostAllowed', NULL, NULL, aside_host, who, '',
    jsonb_build_object('root', nullif(aside_root, '')));
  RETURN true;
END
$$;

-- The most memory that a worker that lives can give to one child, in bytes: no end of it where one sets no
-- limit; 0 where none lives.
CREATE FUNCTION farm_memory() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN bool_or(memory = 0) THEN 9223372036854775807 ELSE coalesce(max(memory), 0) END
  FROM worker WHERE state < 2
$$;

-- The least memory that a job needs which waits for more than a slot of this worker has, but not for more
-- than the worker has; NULL where none waits.
CREATE FUNCTION heavy_waiting(worker bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT min(h.memory_floor)
  FROM worker AS w CROSS JOIN batch b CROSS JOIN LATERAL (
    SELECT j.memory_floor FROM job j
    WHERE j.batch_id = b.id AND j.ready AND j.memory_floor > 0
      AND j.memory_floor > w.slot_memory AND j.memory_floor <= w.memory
    ORDER BY j.memory_floor LIMIT 1
  ) h
  WHERE w.id = heavy_waiting.worker AND b.state = 0 AND b.has_ready AND b.roots <@ w.roots
$$;

-- How attempts of jobs ended: for a worker that does not know whether its statement was committed.
CREATE FUNCTION attempt_endings(jobs bigint[], attempts integer[])
RETURNS TABLE (job_id bigint, ending smallint, code text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT a.job_id, a.ending, a.code
  FROM unnest(jobs, attempts) AS g (job_id, attempt)
  JOIN attempt a ON a.job_id = g.job_id AND a.attempt = g.attempt
$$;

-- Drops the months of attempts and events that ended before a time, and gives their names.
CREATE FUNCTION prune_partitions(before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SET search_path FROM CURRENT SET timezone TO 'UTC' AS $$
DECLARE
  parent text;
  part record;
BEGIN
  FOREACH parent IN ARRAY ARRAY['attempt', 'event'] LOOP
    FOR part IN
      SELECT c.oid::regclass AS name, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent::regclass AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'
        AND to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before
      ORDER BY c.relname
    LOOP
      EXECUTE format('DROP TABLE %s', part.name);
      RETURN NEXT part.relname;
    END LOOP;
  END LOOP;
  -- Of events that are gone nobody can be told.
  DELETE FROM delivery WHERE event_at < before;
  DELETE FROM set_aside WHERE until < before;
END
$$;

-- Deletes up to so many jobs of a finished batch with all that is recorded of them, and gives their
-- number; with the last also the batch. Files are not touched.
CREATE FUNCTION delete_batch(batch bigint, most integer) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ids bigint[];
BEGIN
  PERFORM FROM batch AS b
  WHERE b.id = delete_batch.batch AND b.finished_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN
    RAISE object_not_in_prerequisite_state USING
      MESSAGE = format('there is no batch %s that is finished', delete_batch.batch);
  END IF;
  ids := ARRAY(SELECT id FROM job WHERE batch_id = delete_batch.batch ORDER BY id LIMIT most);
  DELETE FROM output WHERE job_id = ANY (ids);
  DELETE FROM provenance WHERE job_id = ANY (ids);
  DELETE FROM proof WHERE job_id = ANY (ids);
  DELETE FROM replacement WHERE job_id = ANY (ids);
  DELETE FROM audited WHERE job_id = ANY (ids);
  DELETE FROM failure WHERE job_id = ANY (ids);
  DELETE FROM attempt WHERE job_id = ANY (ids);
  DELETE FROM photo_statistics WHERE job_id = ANY (ids);
  DELETE FROM plane_statistics WHERE job_id = ANY (ids);
  DELETE FROM plane_histogram WHERE job_id = ANY (ids);
  DELETE FROM scene_histogram WHERE job_id = ANY (ids);
  DELETE FROM target WHERE job_id = ANY (ids);
  DELETE FROM job WHERE id = ANY (ids);
  IF cardinality(ids) < most THEN
    DELETE FROM delivery d USING event e
    WHERE e.batch_id = delete_batch.batch AND d.event_id = e.id AND d.event_at = e.at;
    DELETE FROM event WHERE batch_id = delete_batch.batch;
    DELETE FROM host_count WHERE batch_id = delete_batch.batch;
    DELETE FROM tally WHERE batch_id = delete_batch.batch;
    DELETE FROM progress WHERE batch_id = delete_batch.batch;
    DELETE FROM batch AS b WHERE b.id = delete_batch.batch;
  END IF;
  RETURN cardinality(ids);
END
$$;

-- Hosts and roots of hosts that are set aside now.
CREATE FUNCTION asides() RETURNS TABLE (
  host text, root text, reason text, actor text, since timestamptz, until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT s.host, s.root, s.reason, s.actor, s.since, s.until FROM set_aside AS s
  WHERE s.until > clock_timestamp() ORDER BY s.host, s.root
$$;

INSERT INTO function_right (function_name, role_name)
SELECT f, 'rawmill_worker' FROM unnest(ARRAY[
  'host_evidence', 'begin_judgement', 'put_aside', 'allow_host', 'farm_memory', 'heavy_waiting',
  'attempt_endings', 'asides']) AS f
UNION ALL SELECT 'asides', 'rawmill_reader';
