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

-- The protocol, with memory, hosts and the worker in the tally.

DROP FUNCTION register_worker(text, text, integer, bigint, text, integer, integer, text[]);
CREATE FUNCTION register_worker(
  new_host text, new_boot_id text, new_pid integer, new_start_ticks bigint, new_version text,
  new_slots integer, new_threads integer, new_roots text[], new_slot_memory bigint,
  new_memory bigint
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO worker (host, boot_id, pid, start_ticks, version, slots, threads, roots, slot_memory,
    memory)
  VALUES (new_host, new_boot_id, new_pid, new_start_ticks, new_version, new_slots, new_threads,
    new_roots, new_slot_memory, new_memory)
  RETURNING id
$$;

-- As before, and: nothing for a host or with a root that is set aside; of jobs that need more memory than
-- memory_above, and no more than memory_up_to. Without a lower bound (-1) it is a claim for slots.
DROP FUNCTION claim_jobs(bigint, integer, uuid[]);
CREATE FUNCTION claim_jobs(
  for_worker bigint, wanted integer, tokens uuid[], memory_above bigint, memory_up_to bigint
) RETURNS TABLE (
  id bigint, attempt integer, token uuid, batch_id bigint, input_root text, input_path bytea,
  input_size bigint, input_mtime_ns bigint, recipe_digest bytea, output_ids text[],
  output_roots text[], output_paths bytea[], failures smallint, crashes smallint,
  host_faults integer, maximum_attempts smallint, maximum_crashes smallint,
  maximum_host_faults integer, base_delay_ms bigint, maximum_delay_ms bigint, replaces boolean,
  kept_root text, kept_path bytea, memory_floor bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  own_roots text[];
  own_host text;
  most integer := 8;
  batches bigint[];
  rooms integer[];
  capped bigint[];
  heavy bigint[];
BEGIN
  SELECT w.roots, w.host INTO own_roots, own_host FROM worker AS w WHERE w.id = for_worker AND w.state = 0;
  IF NOT FOUND THEN RETURN; END IF;
  LOOP
    SELECT array_agg(c.id), array_agg(c.id ORDER BY c.id) FILTER (WHERE c.maximum_running IS NOT NULL)
    INTO batches, capped
    FROM (
      SELECT b.id, b.maximum_running FROM batch AS b
      WHERE b.state = 0 AND b.has_ready AND b.roots <@ own_roots
        AND NOT EXISTS (SELECT FROM batch AS a WHERE a.id = b.after_batch AND a.state <> 3)
        AND NOT EXISTS (
          SELECT FROM set_aside AS x WHERE x.host = own_host AND x.until > clock_timestamp()
            AND (x.root = '' OR x.root = ANY (b.roots)))
      ORDER BY
        b.priority + floor(extract(epoch FROM now() - b.created_at) / b.aging_seconds) DESC,
        -ln(1 - random()) / b.weight
      LIMIT most
    ) AS c;
    IF batches IS NULL THEN RETURN; END IF;
    IF capped IS NULL THEN
      rooms := array_fill(wanted, ARRAY[cardinality(batches)]);
    ELSE
      IF most IS NULL THEN
        PERFORM FROM batch AS b WHERE b.id = ANY (capped) ORDER BY b.id FOR NO KEY UPDATE;
      ELSE
        capped := ARRAY(
          SELECT b.id FROM batch AS b WHERE b.id = ANY (capped)
          ORDER BY b.id FOR NO KEY UPDATE SKIP LOCKED);
      END IF;
      -- A statement of its own after the locks, so that it sees what was committed before them.
      rooms := ARRAY(
        SELECT CASE
          WHEN b.state <> 0 THEN 0
          WHEN b.maximum_running IS NULL THEN wanted
          WHEN b.id = ANY (capped) THEN least(wanted, greatest(0, b.maximum_running - (
            SELECT count(*) FROM lease AS l WHERE l.batch_id = b.id)::integer))
          ELSE 0
        END
        FROM unnest(batches) WITH ORDINALITY AS c (id, place) CROSS JOIN LATERAL (
          SELECT * FROM batch AS b WHERE b.id = c.id OFFSET 0
        ) AS b ORDER BY c.place);
    END IF;
    IF memory_above >= 0 THEN
      -- Jobs that need more than a slot have an index of their own: nothing else is passed.
      heavy := ARRAY(
        SELECT j.id FROM unnest(batches, rooms) AS c (id, room) CROSS JOIN LATERAL (
          SELECT j.id FROM job AS j
          WHERE j.batch_id = c.id AND j.ready AND j.memory_floor > 0
            AND j.memory_floor > memory_above AND j.memory_floor <= memory_up_to
          ORDER BY j.memory_floor LIMIT c.room FOR UPDATE SKIP LOCKED
        ) AS j LIMIT wanted);
      rooms := array_fill(0, ARRAY[cardinality(batches)]);
    END IF;
    RETURN QUERY
    WITH picked AS MATERIALIZED ((
      SELECT j.id FROM unnest(batches, rooms) AS c (id, room)
      CROSS JOIN LATERAL (
        SELECT b.head_rank, b.head_id FROM batch AS b WHERE b.id = c.id OFFSET 0
      ) AS h CROSS JOIN LATERAL (
        SELECT j.id FROM job AS j
        WHERE j.batch_id = c.id AND j.ready
          AND (-j.priority::integer, j.id) >= (h.head_rank, h.head_id)
          AND j.memory_floor <= memory_up_to
        ORDER BY -j.priority::integer, j.id
        LIMIT c.room FOR UPDATE SKIP LOCKED
      ) AS j LIMIT wanted
    ) UNION ALL SELECT unnest(heavy)), taken AS (
      UPDATE job AS j SET ready = false, attempt = j.attempt + 1
      WHERE j.id = ANY (ARRAY(SELECT p.id FROM picked AS p))
      RETURNING j.*
    ), numbered AS MATERIALIZED (
      SELECT tokens[row_number() OVER ()] AS token, t.* FROM taken AS t
    ), leased AS (
      INSERT INTO lease (job_id, token, worker_id, attempt, batch_id)
      SELECT n.id, n.token, for_worker, n.attempt, n.batch_id FROM numbered AS n
    )
    SELECT n.id, n.attempt, n.token, n.batch_id, n.input_root, n.input_path, n.input_size,
      n.input_mtime_ns, n.recipe_digest, n.output_ids, n.output_roots, n.output_paths, n.failures,
      n.crashes, n.host_faults, b.maximum_attempts, b.maximum_crashes, b.maximum_host_faults,
      b.base_delay_ms, b.maximum_delay_ms, n.replaces, n.kept_root, n.kept_path,
      n.memory_floor
    FROM numbered AS n JOIN batch AS b ON b.id = n.batch_id
    ORDER BY n.id;
    IF FOUND OR most IS NULL THEN RETURN; END IF;
    -- All of them now, and capped ones that are locked are waited for.
    IF cardinality(batches) < most AND capped IS NULL THEN RETURN; END IF;
    most := NULL;
  END LOOP;
END
$$;

-- As before, with the worker in the tally.
CREATE OR REPLACE FUNCTION complete_jobs(
  jobs bigint[], tokens uuid[], new_pixels bigint[], input_sizes bigint[], input_mtimes_ns bigint[],
  input_sha256s bytea[], resolved_digests bytea[], new_settings jsonb[], pixel_versions integer[],
  engine_versions text[], source_revisions text[], hosts text[], new_libraries jsonb[],
  new_stages jsonb[], peaks_of_memory bigint[]
) RETURNS TABLE (job_id bigint, is_repeated boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  effective bigint[];
BEGIN
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(jobs, tokens, new_pixels, input_sizes, input_mtimes_ns, input_sha256s,
      resolved_digests, new_settings, pixel_versions, engine_versions, source_revisions, hosts,
      new_libraries, new_stages, peaks_of_memory) AS g (job_id, token, pixels, input_size,
      input_mtime_ns, input_sha256, resolved_digest, resolved_settings, pixel_version,
      engine_version, source_revision, host, libraries, stages, peak_memory_bytes)
  ), held AS MATERIALIZED (
    -- Looked up one by one (OFFSET 0 keeps the planner from making it a join, which would read whole
    -- tables if it was planned while they were small), deleted and updated by their ids. Tokens are
    -- unique, so that pairs of ids and tokens need not be compared.
    SELECT l.*, j.*, g.* FROM given AS g CROSS JOIN LATERAL (
      SELECT attempt, worker_id, claimed_at, batch_id FROM lease
      WHERE job_id = g.job_id AND token = g.token OFFSET 0
    ) AS l CROSS JOIN LATERAL (
      SELECT input_root, input_path, recipe_digest FROM job WHERE id = g.job_id OFFSET 0
    ) AS j
  ), deleted AS (
    DELETE FROM lease
    WHERE job_id = ANY (ARRAY(SELECT job_id FROM held))
      AND token = ANY (ARRAY(SELECT token FROM held))
    RETURNING job_id
  ), freed AS MATERIALIZED (
    SELECT * FROM held WHERE job_id = ANY (ARRAY(SELECT job_id FROM deleted))
  ), ended AS (
    UPDATE job SET outcome = 1, finished_at = clock_timestamp()
    WHERE id = ANY (ARRAY(SELECT job_id FROM freed))
  ), intended AS MATERIALIZED (
    -- Nobody else changes them: that takes the lease.
    SELECT f.batch_id, f.worker_id, o.* FROM freed AS f CROSS JOIN LATERAL (
      SELECT ctid AS place, size, attempt = f.attempt AS is_own FROM output
      WHERE job_id = f.job_id AND attempt <= f.attempt OFFSET 0
    ) AS o
  ), published AS (
    UPDATE output SET published_at = clock_timestamp()
    WHERE ctid = ANY (ARRAY(SELECT place FROM intended WHERE is_own))
  ), superseded AS (
    DELETE FROM output WHERE ctid = ANY (ARRAY(SELECT place FROM intended WHERE NOT is_own))
  ), recorded AS (
    INSERT INTO provenance (
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels,
      peak_memory_bytes)
    SELECT
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels, peak_memory_bytes
    FROM freed
  ), tallied AS (
    INSERT INTO tally (batch_id, worker_id, done, pixels, input_bytes, output_bytes)
    SELECT batch_id, worker_id, sum(done), sum(pixels), sum(input_bytes), sum(output_bytes) FROM (
      SELECT batch_id, worker_id, 1 AS done, pixels, input_size AS input_bytes, 0 AS output_bytes
      FROM freed
      UNION ALL
      SELECT batch_id, worker_id, 0, 0, 0, size FROM intended WHERE is_own
    ) AS parts GROUP BY batch_id, worker_id
  )
  SELECT coalesce(array_agg(job_id), '{}') INTO effective FROM freed;
  RETURN QUERY SELECT unnest(effective), false;
  IF cardinality(effective) < cardinality(jobs) THEN
    RETURN QUERY
      SELECT g.job_id, true FROM unnest(jobs, tokens) AS g (job_id, token)
      WHERE g.job_id <> ALL (effective) AND EXISTS (
        SELECT FROM provenance AS p WHERE p.job_id = g.job_id AND p.token = g.token OFFSET 0);
  END IF;
END
$$;

-- As before, with the memory that the next attempts must be given (0: as much as before).
DROP FUNCTION fail_jobs(bigint[], uuid[], smallint[], text[], text[], bigint[]);
CREATE FUNCTION fail_jobs(
  jobs bigint[], tokens uuid[], classes smallint[], codes text[], messages text[],
  delays_ms bigint[], memory_floors bigint[]
) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH freed AS MATERIALIZED (
    SELECT * FROM free_leases(jobs, tokens)
  ), decided AS MATERIALIZED (
    SELECT f.*, g.class, g.code, g.message, g.delay_ms,
      g.memory_floor,
      CASE WHEN g.delay_ms IS NULL THEN 2 WHEN b.state = 2 THEN 3 END::smallint AS outcome
    FROM unnest(tokens, classes, codes, messages, delays_ms, memory_floors)
      AS g (token, class, code, message, delay_ms, memory_floor)
    JOIN freed AS f ON f.token = g.token JOIN batch AS b ON b.id = f.batch_id
  ), ended AS (
    UPDATE job AS j SET
      failures = j.failures + (d.class IN (1, 2, 3))::int,
      host_faults = j.host_faults + (d.class = 4)::int,
      crashes = j.crashes + (d.class = 5)::int,
      -- What needs more than a slot has comes last in its batch: claims for one slot pass no such jobs
      -- on their way to others.
      memory_floor = greatest(j.memory_floor, d.memory_floor),
      priority = CASE WHEN d.memory_floor > j.memory_floor THEN -32768 ELSE j.priority END,
      outcome = d.outcome,
      finished_at = CASE WHEN d.outcome IS NOT NULL THEN clock_timestamp() END,
      run_at = CASE WHEN d.outcome IS NULL
        THEN clock_timestamp() + make_interval(secs => d.delay_ms / 1000.0) END
    FROM decided AS d
    WHERE j.id = ANY (ARRAY(SELECT job_id FROM decided)) AND j.id = d.job_id
    RETURNING d.*
  ), remembered AS (
    INSERT INTO attempt (
      job_id, attempt, batch_id, worker_id, claimed_at, ending, class, code, message)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at,
      CASE outcome WHEN 2 THEN 2 WHEN 3 THEN 4 ELSE 1 END, class, code, message
    FROM ended
  ), listed AS (
    INSERT INTO failure (job_id, batch_id, attempt, class, code, message)
    SELECT job_id, batch_id, attempt, class, code, message FROM ended WHERE outcome = 2
    ON CONFLICT (job_id) DO UPDATE SET batch_id = excluded.batch_id, attempt = excluded.attempt,
      class = excluded.class, code = excluded.code, message = excluded.message,
      failed_at = excluded.failed_at
  ), tallied AS (
    INSERT INTO tally (batch_id, worker_id, failed, cancelled, troubled)
    SELECT batch_id, worker_id, count(*) FILTER (WHERE outcome = 2),
      count(*) FILTER (WHERE outcome = 3), count(*) FILTER (WHERE class IN (2, 3, 5))
    FROM ended WHERE outcome IS NOT NULL OR class IN (2, 3, 5) GROUP BY batch_id, worker_id
  )
  SELECT job_id FROM ended;
END
$$;

-- As before; the fold has a function of its own.
CREATE OR REPLACE FUNCTION keep_house(lost_batches bigint[], lost_beats bigint[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('rawmill.maintenance.' || current_schema, 0))
  THEN
    RETURN false;
  END IF;
  UPDATE batch AS b SET sealed = true
  FROM unnest(lost_batches, lost_beats) AS g (id, beat)
  WHERE b.id = g.id AND b.submission_beat = g.beat AND NOT b.sealed;
  PERFORM fold_tally();
  PERFORM close_batches();
  RETURN true;
END
$$;

-- Plans for a queue, as for the others: replaced functions have lost them.
DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT p.oid::regprocedure AS function FROM pg_proc AS p
    WHERE p.pronamespace = current_schema::regnamespace
      AND p.proname IN ('claim_jobs', 'complete_jobs', 'fail_jobs', 'heavy_waiting')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode TO force_generic_plan', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET jit TO off', item.function);
  END LOOP;
END
$$;

INSERT INTO function_right (function_name, role_name)
SELECT f, 'rawmill_worker' FROM unnest(ARRAY[
  'host_evidence', 'begin_judgement', 'put_aside', 'allow_host', 'farm_memory', 'heavy_waiting',
  'attempt_endings', 'asides']) AS f
UNION ALL SELECT 'asides', 'rawmill_reader';
